// record: writes what claims and formats say in this machine's browsers into www/recorded/, and with --measure how fast the ways of each figure are

import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { isDeepStrictEqual, parseArgs } from 'node:util';
import { adapter, claims, ENGINES, exported, file, launch, measure, pages, pictures, probed, read, show, timed, tried, until } from './site.mjs';

const RECORDED = 'www/recorded/claims.json';
const FORMATS = 'www/recorded/formats/';
const PRODUCTS = { chromium: 'Chromium', firefox: 'Firefox' };
/** What the browsers run on as `launch` starts them; `--device` names another. */
const DEVICES = { chromium: 'SwiftShader', firefox: 'lavapipe' };
const MESSAGE = 300;

const { device, measure: measures } = parseArgs({ options: { device: { type: 'string' }, measure: { type: 'boolean' } } }).values;
const stored = (path) => (existsSync(file(path)) ? read(path) : {});
const sort = (object) => Object.fromEntries(Object.entries(object).sort(([a], [b]) => (a < b ? -1 : 1)));
const store = (path, records) => writeFileSync(file(path), `${JSON.stringify(sort(records), null, 2)}\n`);
const today = () => new Date().toISOString().slice(0, 10);
const records = stored(RECORDED);

/** Presses the button of each figure that times its ways; adds what it then shows to the figure's records. */
async function time(site, name, who) {
  for (const [id, path] of timed) {
    const page = await site.open(path);
    await tried(page);
    await show(page, id);
    await pictures(page, id, 2);
    await page.$eval(`figure[data-figure="${id}"] [data-act=measure]`, (button) => button.click());
    page.setDefaultTimeout(120_000);
    await until(page, (id) => !['measuring', undefined].includes(document.getElementById(id).dataset.measure), id);
    const { state, says, size, values } = await measure(page, id);
    console.log(`${name}, ${id}: ${says} ${JSON.stringify(values)}`);
    if (state !== 'measured') throw new Error(`${id} was not measured: ${says}`);
    const own = `www/recorded/${id}.json`;
    // Where no device is named, a processor plays the GPU.
    const record = { ...who, software: device === undefined, date: today(), size, says, values };
    store(own, { ...stored(own), [name]: record });
    await page.close();
  }
}

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

  const on = device ?? DEVICES[engine];
  const name = `${engine}-${on.toLowerCase().replaceAll(/\W+/g, '-')}`;
  const who = { engine, label: `${PRODUCTS[engine]} ${/\/(\d+)/.exec(site.version)[1]}`, device: on, ...info };
  if (measures) await time(site, name, who);
  await site.close();

  const record = { ...who, date: records[name]?.date ?? '', claims: sort(found) };
  // The date is that of the last change, so that nothing changes where nothing did.
  const plain = JSON.parse(JSON.stringify(record));
  if (!isDeepStrictEqual(plain, records[name])) plain.date = today();
  records[name] = plain;
  mkdirSync(file(FORMATS), { recursive: true });
  writeFileSync(file(`${FORMATS}${name}.json`), report);
  const fails = Object.entries(found).filter(([, { verdict }]) => verdict !== 'holds').map(([id, { verdict }]) => `${id} ${verdict}`);
  console.log(`${name}: ${Object.keys(found).length} claims${fails.length > 0 ? `; ${fails.join(', ')}` : ', all hold'}`);
}

store(RECORDED, records);
