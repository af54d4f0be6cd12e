// record: writes what claims and formats say in this machine's browsers into www/recorded/

import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { isDeepStrictEqual, parseArgs } from 'node:util';
import { adapter, claims, ENGINES, exported, file, launch, pages, probed, read, tried } from './site.mjs';

const RECORDED = 'www/recorded/claims.json';
const FORMATS = 'www/recorded/formats/';
const PRODUCTS = { chromium: 'Chromium', firefox: 'Firefox' };
/** What the browsers run on as `launch` starts them; `--device` names another. */
const DEVICES = { chromium: 'SwiftShader', firefox: 'lavapipe' };
const MESSAGE = 300;

const { device } = parseArgs({ options: { device: { type: 'string' } } }).values;
const records = existsSync(file(RECORDED)) ? read(RECORDED) : {};

for (const engine of ENGINES) {
  const site = await launch(engine);
  const found = {};
  let info;
  for (const { path } of pages.filter(({ twice, claims }) => !twice && claims.length > 0)) {
    const page = await site.open(path);
    await tried(page);
    info = await adapter(page);
    for (const { id, verdict, tries } of await claims(page)) {
      const outcome = ({ name, outcome, value, message }) => [name, { outcome, value, message: message?.slice(0, MESSAGE) }];
      found[id] ??= { verdict, tries: Object.fromEntries(tries.map(outcome)) };
    }
    for (const fault of page.faults) console.error(`${engine}, ${path}: ${fault}`);
    await page.close();
  }
  // By the button of the page itself, when the claims are tried: the report tells of them too.
  const table = await site.open('format-table.html');
  await probed(table);
  const { text: report } = await exported(table);
  for (const fault of table.faults) console.error(`${engine}, the table of formats: ${fault}`);
  await site.close();

  const on = device ?? DEVICES[engine];
  const name = `${engine}-${on.toLowerCase().replaceAll(/\W+/g, '-')}`;
  const record = {
    engine,
    label: `${PRODUCTS[engine]} ${/\/(\d+)/.exec(site.version)[1]}`,
    device: on,
    ...info,
    date: records[name]?.date ?? '',
    claims: Object.fromEntries(Object.entries(found).sort(([a], [b]) => (a < b ? -1 : 1))),
  };
  // The date is that of the last change, so that nothing changes where nothing did.
  const plain = JSON.parse(JSON.stringify(record));
  if (!isDeepStrictEqual(plain, records[name])) plain.date = new Date().toISOString().slice(0, 10);
  records[name] = plain;
  mkdirSync(file(FORMATS), { recursive: true });
  writeFileSync(file(`${FORMATS}${name}.json`), report);
  const fails = Object.entries(found).filter(([, { verdict }]) => verdict !== 'holds').map(([id, { verdict }]) => `${id} ${verdict}`);
  console.log(`${name}: ${Object.keys(found).length} claims${fails.length > 0 ? `; ${fails.join(', ')}` : ', all hold'}`);
}

const sorted = Object.fromEntries(Object.entries(records).sort(([a], [b]) => (a < b ? -1 : 1)));
writeFileSync(file(RECORDED), `${JSON.stringify(sorted, null, 2)}\n`);
