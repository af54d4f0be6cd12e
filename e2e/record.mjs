// record: writes what claims and formats say in this machine's browsers into www/recorded/, with --measure also how fast the ways of figures are; --import FILE takes what another machine's said

import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { isDeepStrictEqual, parseArgs } from 'node:util';
import { adapter, claims, ENGINES, exported, file, launch, measure, pages, pictures, probed, read, show, timed, tried, until } from './site.mjs';

const RECORDED = 'www/recorded/claims.json';
const FORMATS = 'www/recorded/formats/';
const PRODUCTS = { chromium: 'Chromium', firefox: 'Firefox' };
/** What the browsers run on as `launch` starts them; `--device` names another. */
const DEVICES = { chromium: 'SwiftShader', firefox: 'lavapipe' };
const MESSAGE = 300;

const { device, measure: measures, import: imported } = parseArgs({
  options: { device: { type: 'string' }, measure: { type: 'boolean' }, import: { type: 'string' } },
}).values;
const stored = (path) => (existsSync(file(path)) ? read(path) : {});
const sort = (object) => Object.fromEntries(Object.entries(object).sort(([a], [b]) => (a < b ? -1 : 1)));
const store = (path, records) => writeFileSync(file(path), `${JSON.stringify(sort(records), null, 2)}\n`);
const today = () => new Date().toISOString().slice(0, 10);

/** What one browser says: of its claims, by the button of the page itself of the formats, and of ways that are timed. */
async function gather(engine) {
  const site = await launch(engine);
  const said = { engine, label: `${PRODUCTS[engine]} ${/\/(\d+)/.exec(site.version)[1]}`, claims: [], timed: {} };
  for (const { path } of pages.filter(({ twice, claims }) => !twice && claims.length > 0)) {
    const page = await site.open(path);
    await tried(page);
    Object.assign(said, await adapter(page));
    said.claims.push(...(await claims(page)));
    for (const fault of page.faults) console.error(`${engine}, ${path}: ${fault}`);
    await page.close();
  }
  // When the claims are tried, for the report tells of them too.
  const table = await site.open('format-table.html');
  await probed(table);
  said.report = (await exported(table)).text;
  for (const fault of table.faults) console.error(`${engine}, the table of formats: ${fault}`);
  await table.close();
  for (const [id, path] of measures ? timed : []) said.timed[id] = await time(site, id, path);
  await site.close();
  // Where no device is named, a processor plays the GPU.
  return { ...said, device: device ?? DEVICES[engine], software: device === undefined };
}

/** Presses the button of a figure that times its ways; gives what it then shows. */
async function time(site, id, path) {
  const page = await site.open(path);
  await tried(page);
  await show(page, id);
  await pictures(page, id, 2);
  await page.$eval(`figure[data-figure="${id}"] [data-act=measure]`, (button) => button.click());
  page.setDefaultTimeout(120_000);
  await until(page, (id) => !['measuring', undefined].includes(document.getElementById(id).dataset.measure), id);
  const shown = await measure(page, id);
  await page.close();
  return shown;
}

/** Puts it among the records. */
function keep({ claims, report, timed, software, ...who }) {
  const { engine, label, device, vendor, architecture } = who;
  const name = `${engine}-${device.toLowerCase().replaceAll(/\W+/g, '-')}`;
  const found = {};
  for (const { id, verdict, tries } of claims) {
    const outcome = ({ name, outcome, value, message }) => [name, { outcome, value, message: message?.slice(0, MESSAGE) }];
    found[id] ??= { verdict, tries: Object.fromEntries(tries.map(outcome)) };
  }
  const records = stored(RECORDED);
  // The date is that of the last change, so that nothing changes where nothing did.
  const record = { engine, label, device, vendor, architecture, date: records[name]?.date ?? '', claims: sort(found) };
  const plain = JSON.parse(JSON.stringify(record));
  if (!isDeepStrictEqual(plain, records[name])) plain.date = today();
  store(RECORDED, { ...records, [name]: plain });
  mkdirSync(file(FORMATS), { recursive: true });
  writeFileSync(file(`${FORMATS}${name}.json`), report);
  for (const [id, { state, says, size, values }] of Object.entries(timed)) {
    console.log(`${name}, ${id}: ${says} ${JSON.stringify(values)}`);
    if (state !== 'measured') throw new Error(`${id} was not measured: ${says}`);
    const own = `www/recorded/${id}.json`;
    const times = { engine, label, device, vendor, architecture, software, date: today(), size, says, values };
    store(own, { ...stored(own), [name]: times });
  }
  const fails = Object.entries(found).filter(([, { verdict }]) => verdict !== 'holds').map(([id, { verdict }]) => `${id} ${verdict}`);
  console.log(`${name}: ${Object.keys(found).length} claims${fails.length > 0 ? `; ${fails.join(', ')}` : ', all hold'}`);
}

// A file holds what `gather` gives, brought from a machine that has a GPU but none of this.
if (imported) keep(JSON.parse(readFileSync(imported)));
else for (const engine of ENGINES) keep(await gather(engine));
