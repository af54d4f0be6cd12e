// formats: the table of texture formats says what was recorded, is searched, sorted and opened, and takes reports in and out

import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import axe from 'axe-core';
import { ENGINES, exported, file, launch, probed, read, tried, until } from './site.mjs';

const PAGE = 'format-table.html';
const RECORDED = 'www/recorded/formats/';
const names = readdirSync(file(RECORDED));
const ANSWERS = ['yes', 'no', 'untried', 'none'];
/** Milliseconds in which a key must have its effect: a frame. */
const KEY = 16;

/** The formats of the rows that are shown, from above, once all have appeared. */
const shown = async (page) => {
  await until(page, () => !document.querySelector('.ft[aria-busy]'));
  return page.$$eval('tr[data-format]', (rows) => rows.filter((row) => !row.hidden).map((row) => row.dataset.format));
};
/** The table as it stands: what every cell says. */
const cells = (page) =>
  page.$$eval('td[data-cap]', (cells) => {
    const says = ['cap', 'spec', 'device', 'wgpu', 'values', 'needs', 'differs'];
    return cells.map((cell) => [...says.map((name) => cell.getAttribute(`data-${name}`)), cell.textContent].join(' ')).join('\n');
  });
const told = (page) => page.$eval('[data-slot=told]', (place) => place.textContent);
const set = (page, name, value) =>
  page.$eval(
    `[name="${name}"]`,
    (input, value) => {
      input.value = value;
      input.dispatchEvent(new Event(input.type === 'search' ? 'input' : 'change', { bubbles: true }));
    },
    value,
  );
const tick = (page, name, value) => page.$eval(`[name="${name}"][value="${value}"]`, (input) => input.click());
const query = (page) => new URL(page.url()).searchParams;

for (const engine of ENGINES) {
  describe(engine, () => {
    let site, folder;
    before(async () => {
      site = await launch(engine);
      folder = mkdtempSync(join(tmpdir(), 'formats-'));
    });
    after(async () => {
      await site.close();
      rmSync(folder, { recursive: true });
    });
    const visit = (query, look) =>
      site.visit(PAGE + query, async (page) => {
        await until(page, () => document.querySelectorAll('td[data-cap]').length > 4000);
        await look(page);
      });
    /** Chooses a file with that text in it. */
    const load = async (page, name, text) => {
      const path = join(folder, name);
      writeFileSync(path, text);
      const input = await page.$('[name="formats.load"]');
      await input.uploadFile(path);
      await until(page, (name) => document.querySelector('[data-slot=told]').textContent.includes(name), name);
      await until(page, () => !/…$/.test(document.querySelector('[data-slot=told]').textContent));
    };

    test('the probe says what was recorded, cell by cell', () =>
      visit('', async (page) => {
        await probed(page);
        const { name, text } = await exported(page);
        assert.equal(name, 'texelarium-here.json');
        const report = JSON.parse(text);
        const recorded = names.filter((name) => name.startsWith(engine)).map((name) => read(RECORDED + name));
        const same = recorded.find((it) => JSON.stringify(it.adapter) === JSON.stringify(report.adapter));
        assert.ok(same, `no report of ${JSON.stringify(report.adapter)}`);
        assert.deepEqual(report.formats, same.formats);
        // The browser lists its features in an order of its own, another one each time.
        assert.deepEqual(report.features.toSorted(), same.features.toSorted());
        const rows = await page.$$eval('tr[data-format]', (rows) =>
          rows.map((row) => [row.dataset.format, [...row.querySelectorAll('td[data-cap]')].map((td) => ({ ...td.dataset }))]),
        );
        assert.equal(rows.length, 101);
        for (const [format, cells] of rows) {
          assert.equal(new Set(cells.map(({ cap }) => cap)).size, 46, format);
          for (const { cap, spec, device, wgpu, differs, values } of cells) {
            for (const answer of [spec, device, wgpu]) assert.ok(ANSWERS.includes(answer), `${format} ${cap} ${answer}`);
            const is = report.formats[format][cap];
            assert.deepEqual([spec, device], is ? [is.spec, is.device] : ['none', 'none'], `${format} ${cap}`);
            assert.equal(values, is?.values, `${format} ${cap}`);
            const isOther = device !== 'untried' && spec !== device;
            assert.equal(differs?.split(' ').includes('device') ?? false, isOther, `${format} ${cap}`);
            assert.equal(differs?.split(' ').includes('values') ?? false, values === 'no', `${format} ${cap}`);
          }
        }
        const flags = rows.flatMap(([, cells]) => cells).filter(({ differs }) => differs?.includes('device')).length;
        const said = await page.$eval('[data-slot=differ]', (place) => place.textContent);
        assert.match(said, new RegExp(`: ${flags} of the device`));
        const values = rows.flatMap(([, cells]) => cells).flatMap(({ values }) => values ?? []);
        const wrong = values.filter((it) => it === 'no').length;
        console.log(`${engine}: ${values.length} cells tried with values, ${wrong} wrong`);
        assert.ok(values.length > 150);
        const tells = await page.$eval('[data-slot=differ-values]', (place) => place.textContent);
        assert.equal(tells, `Tried with values: ${values.length} cells; wrong: ${wrong}.`);
      }));

    test('values that are wrong are found and shown', () =>
      site.visit(
        PAGE,
        async (page) => {
          await probed(page);
          const report = JSON.parse((await exported(page)).text);
          const cell = (format, cap) => report.formats[format][cap];
          assert.equal(cell('r8unorm', 'sample.color.unfilterable-float').valuesMessage, '0, 0, 0, 1 ≠ 0.2, 0, 0, 1');
          assert.equal(cell('rgba8uint', 'storage.read-only').valuesMessage, '0, 0, 0, 0 ≠ 51, 102, 153, 204');
          // Half of nothing is nothing, and what is drawn does not go through the queue.
          assert.equal(cell('rgba8unorm', 'filterable').values, 'no');
          assert.equal(cell('rgba8unorm', 'colorRenderable').values, 'yes');
          assert.equal(cell('depth32float', 'sample.depth.depth').values, 'yes');
          const wrong = Object.values(report.formats).flatMap(Object.values).filter(({ values }) => values === 'no').length;
          assert.equal((await page.$$('[data-differs~=values][data-values=no]')).length, wrong);
          assert.match(await page.$eval('[data-slot=differ-values]', (place) => place.textContent), new RegExp(`wrong: ${wrong}\\.`));
          await set(page, 'formats.show', 'values');
          const rows = await shown(page);
          assert.ok(rows.includes('r8unorm') && !rows.includes('depth32float'));
          const button = await page.$('tr[data-format=rgba8unorm] [data-cap=filterable] button');
          assert.match(await button.evaluate((it) => it.getAttribute('aria-label')), /^yes; wrong values$/);
          await button.evaluate((it) => it.click());
          const says = () => page.$eval('#formats-cell [data-slot=values]', (place) => place.textContent);
          assert.equal(await says(), 'wrong: 0, 0, 0, 0 came, it should be 0.1, 0.2, 0.3, 0.4');
          await page.$eval('tr[data-format=rgba8unorm] [data-cap=colorRenderable] button', (it) => it.click());
          assert.equal(await says(), 'right');
          assert.match((await exported(page, 'csv')).text, /rgba8unorm,filterable,yes,yes,,no,"0, 0, 0, 0 ≠ 0\.1, 0\.2, 0\.3, 0\.4"/);
          assert.match((await exported(page, 'md')).text, /\| rgba8unorm \| filterable \| yes \| yes \| +\| no \| `0, 0, 0, 0 ≠ 0\.1/);
        },
        {
          before: () => {
            // The probe's queue writes zeros.
            const { writeTexture } = GPUQueue.prototype;
            GPUQueue.prototype.writeTexture = function (place, bytes, ...more) {
              const isProbe = place.texture.label.startsWith('format/');
              return writeTexture.call(this, place, isProbe ? new Uint8Array(bytes.length) : bytes, ...more);
            };
            window.watch = { saved: [], blobs: {} };
            HTMLAnchorElement.prototype.click = function () {
              window.watch.saved.push({ name: this.download, href: this.href });
            };
            const { createObjectURL } = URL;
            URL.createObjectURL = (blob) => {
              const url = createObjectURL.call(URL, blob);
              window.watch.blobs[url] = blob;
              return url;
            };
          },
        },
      ));

    test('values are tried until the reader stops it', () =>
      site.visit(PAGE, async (page) => {
        await until(page, () => document.querySelector('[data-slot=told]').textContent === 'Being tried with values …');
        await page.$eval('[data-act="formats.stop"]', (button) => button.click());
        await until(page, () => document.querySelector('[data-formats]').dataset.state === 'stopped');
        assert.match(await told(page), /^Stopped after the values of \d+ formats/);
        assert.equal((await page.$$('td[data-cap=exists][data-device=untried]')).length, 0);
      }));

    test('this browser is tried in compatibility mode, where it offers that', () =>
      visit('', async (page) => {
        await probed(page);
        await page.select('[name="formats.device"]', 'compatibility');
        if (engine === 'firefox') {
          await until(page, () => document.querySelector('[data-slot=fault]').textContent !== '');
          assert.equal(await page.$eval('[data-slot=fault]', (place) => place.textContent), 'This browser gives no device in compatibility mode.');
          assert.ok(await page.$$eval('option[value=compatibility]', (options) => options.length === 2 && options.every(({ disabled }) => disabled)));
          assert.equal(await page.$eval('[name="formats.device"]', ({ value }) => value), 'here');
          return;
        }
        await until(page, () => document.querySelector('[data-formats]').dataset.state === 'probing');
        await probed(page);
        const { name, text } = await exported(page);
        assert.equal(name, 'texelarium-compatibility.json');
        const report = JSON.parse(text);
        assert.ok(!report.features.includes('core-features-and-limits'));
        assert.equal(report.formats.r32float.multisample.device, 'no');
        assert.equal(report.formats['bgra8unorm-srgb'].exists.device, 'no');
        assert.equal(report.formats.rgba8unorm.colorRenderable.values, 'yes');
        const differing = Object.entries(report.formats).flatMap(([format, cells]) =>
          Object.entries(cells).flatMap(([cap, { spec, device, values }]) =>
            (device !== 'untried' && spec !== device) || values === 'no' ? [`${format} ${cap}`] : [],
          ),
        );
        console.log(`${engine}, compatibility mode: ${differing.length} differences${differing.map((it) => `; ${it}`).join('')}`);
        assert.equal((await page.$$('[data-differs~=device], [data-differs~=values]')).length, differing.length);
        // Its report is kept for the visit, beside that of the core device.
        await page.select('[name="formats.against"]', 'here');
        await until(page, () => document.querySelectorAll('[data-differs~=against]').length > 0);
        await until(page, () => /formats\.device=compatibility&formats\.against=here/.test(location.search));
        await page.reload();
        await until(page, () => document.querySelectorAll('[data-differs~=against]').length > 0);
        await probed(page);
        assert.equal((await exported(page)).text, text);
      }));

    test('of two quick choices the later one holds', () =>
      visit('', async (page) => {
        await probed(page);
        const [one, two] = names.map((name) => name.replace('.json', ''));
        await page.evaluate((one) => {
          const { fetch } = window;
          // The first report is slow.
          window.fetch = async (address) => {
            const answer = await fetch(address);
            if (String(address).includes(one)) await new Promise((resolve) => (window.let = resolve));
            return answer;
          };
        }, one);
        await page.select('[name="formats.device"]', one);
        await until(page, () => window.let);
        await page.select('[name="formats.device"]', two);
        await until(page, () => /Recorded on/.test(document.querySelector('[data-slot=told]').textContent));
        await page.evaluate(() => window.let());
        await until(page, () => !document.querySelector('.ft[aria-busy]'));
        assert.equal(await page.$eval('[name="formats.device"]', ({ value }) => value), two);
        assert.equal(query(page).get('formats.device'), two);
        assert.equal(JSON.stringify(JSON.parse((await exported(page)).text)), JSON.stringify(read(`${RECORDED}${two}.json`)));
      }));

    test('a report that cannot be loaded is said, until the next choice', () =>
      visit('', async (page) => {
        await probed(page);
        const label = await page.$eval('[name="formats.device"] [data-report]', ({ textContent }) => textContent);
        await page.evaluate(() => {
          window.kept = window.fetch;
          window.fetch = () => Promise.reject(new TypeError());
        });
        const fault = () => page.$eval('[data-slot=fault]', (place) => place.textContent);
        await page.select('[name="formats.device"]', names[0].replace('.json', ''));
        await until(page, () => document.querySelector('[data-slot=fault]').textContent !== '');
        await until(page, () => document.querySelector('[name="formats.device"]').value === 'here');
        assert.equal(await fault(), `${label} could not be loaded.`);
        await page.$eval('[data-act="formats.probe"]', (button) => button.click());
        await until(page, () => document.querySelector('[data-formats]').dataset.state === 'probing');
        await probed(page);
        assert.equal(await fault(), `${label} could not be loaded.`);
        await page.evaluate(() => (window.fetch = window.kept));
        await page.select('[name="formats.device"]', names[1].replace('.json', ''));
        await until(page, () => /Recorded on/.test(document.querySelector('[data-slot=told]').textContent));
        assert.equal(await fault(), '');
      }));

    test('a device that is refused takes nothing from what is known', () =>
      visit('', async (page) => {
        await probed(page);
        const again = () => page.$eval('[data-act="formats.probe"]', (button) => button.click());
        await page.evaluate(() => {
          const { createTexture } = GPUDevice.prototype;
          GPUDevice.prototype.createTexture = function (descriptor) {
            if (descriptor.label.startsWith('format/')) window.device = this;
            return createTexture.call(this, descriptor);
          };
        });
        await again();
        await until(page, () => document.querySelector('[data-formats]').dataset.state === 'probing');
        await probed(page);
        const before = (await exported(page)).text;
        await page.evaluate(async () => {
          GPUAdapter.prototype.requestDevice = () => Promise.reject(new TypeError('none left'));
          window.device.destroy();
          await window.device.lost;
        });
        await again();
        await until(page, () => /could not be tried/.test(document.querySelector('[data-slot=told]').textContent));
        assert.match(await told(page), /none left$/);
        assert.equal((await exported(page)).text, before);
      }));

    test('without a clipboard nothing is copied, and it is said', () =>
      visit('', async (page) => {
        await probed(page);
        await page.evaluate(() => Object.defineProperty(navigator, 'clipboard', { value: undefined }));
        await page.$eval('[data-act="formats.link"]', (button) => button.click());
        await until(page, () => /address/.test(document.querySelector('[data-slot=told]').textContent));
        assert.equal(await page.$eval('html', ({ dataset }) => dataset.gpu), 'ready');
      }));

    test('a cell of the address is open, alone, in its column, unless its row is not shown', () =>
      visit('?formats.cell=rgba8unorm/exists', async (page) => {
        const details = () => page.$$eval('#formats-cell', (all) => all.filter((row) => row.checkVisibility()).length);
        await until(page, () => document.querySelector('#formats-cell'));
        assert.equal(await details(), 1);
        assert.ok(await page.$eval('tr[data-format=rgba8unorm] [data-cap=exists]', (cell) => cell.checkVisibility()));
        await tick(page, 'formats.columns', 'other');
        await until(page, () => !document.querySelector('#formats-cell'));
        await page.goto(`${page.url().split('?')[0]}?formats.find=zzz&formats.cell=rgba8unorm/filterable`);
        await probed(page);
        assert.equal(await details(), 0);
      }));

    test('on narrow screens the filter folds, and stays as the reader left it', () =>
      site.visit(
        PAGE,
        async (page) => {
          await until(page, () => document.querySelector('[data-formats]').dataset.state !== undefined);
          const visible = () => page.$eval('[name="formats.needs"]', (input) => input.checkVisibility({ contentVisibilityAuto: true }));
          assert.equal(await visible(), false);
          await page.focus('.more summary');
          await page.keyboard.press('Enter');
          assert.equal(await visible(), true);
          await until(page, () => sessionStorage.getItem('texelarium.formats.fold'));
          await page.reload();
          await until(page, () => document.querySelector('[data-formats]')?.dataset.state !== undefined);
          assert.equal(await visible(), true);
          await page.$eval('.more summary', (summary) => summary.click());
          assert.equal(await visible(), false);
          await page.setViewport({ width: 1280, height: 900, deviceScaleFactor: 0 });
          assert.equal(await visible(), true);
          assert.equal(await page.$eval('.more summary', (summary) => summary.checkVisibility()), false);
          await page.focus('[name="formats.needs"]');
          assert.equal(await page.evaluate(() => document.activeElement.name), 'formats.needs');
        },
        { width: 360, height: 800 },
      ));

    test('an open cell says what the format costs as a target', () =>
      visit('', async (page) => {
        const facts = read('tests/data/formats.json').formats;
        for (const format of ['r8unorm', 'rgba8unorm', 'rg11b10ufloat', 'rgba32float', 'rgb9e5ufloat', 'depth16unorm', 'bc7-rgba-unorm']) {
          const { renderTarget } = facts.find(({ name }) => name === format);
          await page.$eval(`tr[data-format=${format}] [data-cap=exists] button`, (button) => button.click());
          const says = await page.$eval('#formats-cell [data-slot=cost-row]', (row) => (row.hidden ? null : row.lastElementChild.textContent));
          assert.equal(says, renderTarget ? `bytes a pixel: ${renderTarget[0]}, aligned to ${renderTarget[1]}` : null, format);
        }
      }));

    test('words are put together as the language does it', () =>
      site.visit(`zh/${PAGE}?formats.device=${names[0].replace('.json', '')}&formats.against=${names[1].replace('.json', '')}`, async (page) => {
        await until(page, () => document.querySelectorAll('[data-differs~=against]').length > 0);
        const label = await page.$eval('[data-differs~=against] button', (button) => button.getAttribute('aria-label'));
        assert.match(label, /；/);
        assert.doesNotMatch(label, /;/);
        await page.$eval('tr[data-format=r8unorm] [data-cap="storage.read-write"] button', (button) => button.click());
        const wgsl = await page.$eval('#formats-cell [data-slot=wgsl]', (place) => place.textContent);
        assert.equal(wgsl, 'texture_formats_tier1、readonly_and_readwrite_storage_textures');
      }));

    test('a visit tries the device once', () =>
      visit('', async (page) => {
        await probed(page);
        await page.reload();
        await probed(page);
        assert.match(await told(page), /earlier in this visit/);
      }));

    test('the probe stops when it is told to, and starts again', () =>
      site.visit(PAGE, async (page) => {
        await until(page, () => document.querySelector('[data-formats]').dataset.state === 'probing');
        await page.$eval('[data-act="formats.stop"]', (button) => button.click());
        await until(page, () => document.querySelector('[data-formats]').dataset.state === 'stopped');
        assert.ok((await page.$$('td[data-device=untried]')).length > 46);
        await page.$eval('[data-act="formats.probe"]', (button) => button.click());
        await probed(page);
        // The sRGB view of a format that has no counterpart cannot be tried.
        const untried = await page.$$eval('td[data-device=untried]', (cells) => cells.map(({ dataset }) => dataset.cap));
        assert.deepEqual([...new Set(untried)], ['srgbView']);
      }));

    test('part of a name finds formats, in less than a frame', () =>
      visit('', async (page) => {
        await probed(page);
        const times = await page.$eval('[name="formats.find"]', (input) => {
          const texts = ['r', 'r3', 'r32', 'r32f', 'r32', 'r3', 'r', '', 'b', 'bc', 'bc7', 'bc', 'b', '', 's', 'sr', 'srg', 'srgb', ''];
          const least = texts.map(() => Infinity);
          // The least of a few times is what the key itself takes, whatever else the machine is busy with.
          for (let round = 0; round < 9; round += 1) {
            texts.forEach((text, key) => {
              const before = performance.now();
              input.value = text;
              input.dispatchEvent(new Event('input', { bubbles: true }));
              // With the layout that it causes.
              void document.querySelector('.ft').offsetHeight;
              least[key] = Math.min(least[key], performance.now() - before);
            });
          }
          return least;
        });
        console.log(`${engine}: a key takes at most ${Math.max(...times).toFixed(1)} ms`);
        assert.ok(times.every((time) => time < KEY), times.join(' '));
        await set(page, 'formats.find', 'bc7 srgb');
        assert.deepEqual(await shown(page), ['bc7-rgba-unorm-srgb']);
        // Once the reader has stopped typing.
        await until(page, () => new URLSearchParams(location.search).get('formats.find') === 'bc7 srgb');
        assert.match(await page.$eval('[data-slot=count]', (place) => place.textContent), /^1 of 101/);
      }));

    test('what is needed finds candidates, those with few bytes first', () =>
      visit('', async (page) => {
        for (const need of ['filterable', 'storage.write-only', 'hdr']) await tick(page, 'formats.needs', need);
        const with16 = await shown(page);
        assert.ok(with16.includes('rgba16float') && with16.every((name) => name.includes('float')), with16.join(' '));
        const bytes = await page.$$eval('tr[data-format]:not([hidden]) .n', (cells) => cells.map((cell) => parseInt(cell.textContent)));
        assert.deepEqual(bytes, bytes.toSorted((a, b) => a - b));
        await set(page, 'formats.bytes', '4');
        assert.ok(!(await shown(page)).includes('rgba16float'));
        await tick(page, 'formats.features', 'texture-formats-tier1');
        await until(page, () => document.querySelector('tr[data-format=r16float] [data-cap="storage.write-only"]').dataset.spec === 'yes');
        assert.ok((await shown(page)).includes('r16float'));
      }));

    test('a tick brings along what the feature depends on, and takes it away again', () =>
      visit('', async (page) => {
        const ticked = (name) => page.$eval(`[name="formats.features"][value="${name}"]`, (input) => input.checked);
        const one = (format, cap) => page.$eval(`tr[data-format=${format}] [data-cap="${cap}"]`, (cell) => ({ ...cell.dataset }));
        assert.equal((await one('r8unorm', 'storage.write-only')).needs, 'texture-formats-tier1');
        await tick(page, 'formats.features', 'texture-formats-tier2');
        await until(page, () => document.querySelector('tr[data-format=r8unorm] [data-cap="storage.read-write"]').dataset.spec === 'yes');
        assert.ok(await ticked('texture-formats-tier1'));
        assert.ok(await ticked('rg11b10ufloat-renderable'));
        await tick(page, 'formats.features', 'rg11b10ufloat-renderable');
        await until(page, () => document.querySelector('tr[data-format=r8unorm] [data-cap="storage.read-write"]').dataset.spec === 'no');
        assert.ok(!(await ticked('texture-formats-tier2')));
        await tick(page, 'formats.features', 'core-features-and-limits');
        await until(page, () => document.querySelector('tr[data-format=rg32float] [data-cap="storage.write-only"]').dataset.spec === 'no');
        assert.equal((await one('rg32float', 'storage.write-only')).needs, 'core-features-and-limits');
        assert.equal((await one('bgra8unorm-srgb', 'exists')).spec, 'no');
        // What the device did is what it did.
        await probed(page);
        assert.equal((await one('rg32float', 'storage.write-only')).device, 'yes');
        assert.equal((await one('rg32float', 'storage.write-only')).differs, undefined);
      }));

    test('headers sort, and say so', () =>
      visit('', async (page) => {
        const head = (by) => page.$eval(`th[data-sort=${by}]`, (head) => head.ariaSort ?? head.getAttribute('aria-sort'));
        const press = (by) => page.$eval(`th[data-sort=${by}] button`, (button) => button.click());
        const first = await shown(page);
        await press('name');
        assert.equal(await head('name'), 'ascending');
        assert.deepEqual(await shown(page), first.toSorted());
        await press('name');
        assert.equal(await head('name'), 'descending');
        assert.deepEqual(await shown(page), first.toSorted().toReversed());
        await press('bytes');
        assert.deepEqual([await head('name'), await head('bytes')], ['none', 'ascending']);
        assert.equal((await shown(page))[0], 'astc-12x12-unorm');
        assert.equal(query(page).get('formats.sort'), 'bytes');
      }));

    test('the address holds the view, and the links to other languages keep it', () =>
      visit('', async (page) => {
        await set(page, 'formats.find', 'r8');
        await tick(page, 'formats.columns', 'other');
        await tick(page, 'formats.columns', 'sampled');
        await tick(page, 'formats.features', 'texture-formats-tier1');
        await page.$eval('th[data-sort=name] button', (button) => button.click());
        await page.$eval('tr[data-format=r8unorm] [data-cap="storage.write-only"] button', (button) => button.click());
        const before = [await shown(page), await page.$eval('.ft', (table) => table.dataset.columns), await page.$eval('#formats-cell', (row) => row.innerText)];
        const other = await page.$eval('a[hreflang=es]', (link) => link.href);
        const { searchParams } = new URL(page.url());
        assert.equal(new URL(other).search, new URL(page.url()).search);
        assert.equal(searchParams.get('formats.cell'), 'r8unorm/storage.write-only');
        await page.goto(page.url());
        await until(page, () => document.querySelector('#formats-cell'));
        const text = await page.$eval('#formats-cell', (row) => row.innerText);
        assert.deepEqual([await shown(page), await page.$eval('.ft', (table) => table.dataset.columns)], before.slice(0, 2));
        assert.equal(text.split('\n')[0], before[2].split('\n')[0]);
        await page.goto(other);
        await until(page, () => document.querySelector('#formats-cell'));
        assert.deepEqual(await shown(page), before[0]);
        assert.equal(await page.$eval('html', (html) => html.lang), 'es');
      }));

    test('what no control offers is not asked', () =>
      visit('?formats.bytes=3&formats.show=x&formats.needs=y&formats.columns=storage,z&formats.cell=r8unorm/q', async (page) => {
        assert.equal((await shown(page)).length, 101);
        await set(page, 'formats.find', 'r8unorm');
        await until(page, () => location.search.includes('find'));
        assert.equal(await page.evaluate(() => location.search), '?formats.columns=storage&formats.find=r8unorm');
      }));

    test('a cell opens by keyboard, with the browser’s words, and closes', () =>
      visit('', async (page) => {
        await probed(page);
        await page.focus('.sheet');
        const at = () => page.evaluate(() => [document.activeElement.closest('tr')?.dataset.format, document.activeElement.parentElement.dataset.cap]);
        for (let tabs = 0; !(await at())[1] && tabs < 5; tabs += 1) await page.keyboard.press('Tab');
        assert.deepEqual(await at(), ['r8unorm', 'sample.color.float']);
        await page.keyboard.press('ArrowDown');
        await page.keyboard.press('ArrowUp');
        await page.keyboard.press('End');
        await page.keyboard.press('Home');
        for (let right = 0; right < 7; right += 1) await page.keyboard.press('ArrowRight');
        assert.deepEqual(await at(), ['r8unorm', 'storage.write-only']);
        await page.keyboard.press('Enter');
        const detail = await page.$eval('#formats-cell', (row) => ({
          expanded: document.activeElement.getAttribute('aria-expanded'),
          controls: document.activeElement.getAttribute('aria-controls'),
          after: row.previousElementSibling.dataset.format,
          width: row.firstElementChild.colSpan,
          text: row.innerText,
          words: (({ lang, translate, textContent }) => ({ lang, translate, textContent }))(row.querySelector('output')),
        }));
        assert.equal(detail.expanded, 'true');
        assert.equal(detail.controls, 'formats-cell');
        assert.equal(detail.after, 'r8unorm');
        assert.equal(detail.width, 14);
        assert.match(detail.text, /texture-formats-tier1[^]*texture_formats_tier1/);
        assert.match(detail.text, /requiredFeatures: \["texture-formats-tier1"\]/);
        assert.match(detail.text, /texture_storage_2d<r8unorm, write>/);
        assert.equal(detail.words.lang, 'en');
        assert.equal(detail.words.translate, false);
        assert.match(detail.words.textContent, /R8Unorm|r8unorm/);
        await page.keyboard.press('Escape');
        assert.equal(await page.$('#formats-cell'), null);
        assert.equal(await page.evaluate(() => document.activeElement.getAttribute('aria-expanded')), 'false');
      }));

    test('a report that is saved and loaded is the same, byte for byte', () =>
      visit('', async (page) => {
        await probed(page);
        const { text } = await exported(page);
        const table = await cells(page);
        await load(page, 'mine.json', text);
        await page.select('[name="formats.device"]', 'file:mine.json');
        await until(page, () => document.querySelector('[name="formats.device"]').value.startsWith('file'));
        const again = await exported(page);
        assert.equal(again.name, 'texelarium-mine.json');
        assert.equal(again.text, text);
        assert.equal(await cells(page), table);
        assert.equal((await page.$$('[data-differs~=against]')).length, 0);
        const csv = await exported(page, 'csv');
        assert.equal(csv.name, 'texelarium-mine.csv');
        assert.match(csv.text, /^format,capability,spec,device,message,values,valuesMessage\r\nr8unorm,exists,yes,yes,,untried,\r\n/);
        assert.match((await exported(page, 'md')).text, /\| r8unorm \| yes \|/);
      }));

    test('two devices are compared', () =>
      visit('', async (page) => {
        await probed(page);
        const { text } = await exported(page);
        const other = JSON.parse(text);
        other.formats.r8unorm['storage.write-only'].device = 'yes';
        other.formats.r32float.filterable.device = other.formats.r32float.filterable.device === 'yes' ? 'no' : 'yes';
        await load(page, 'other.json', JSON.stringify(other));
        const flagged = await page.$$eval('[data-differs~=against]', (cells) =>
          cells.map((cell) => `${cell.parentElement.dataset.format} ${cell.dataset.cap}`),
        );
        assert.deepEqual(flagged, ['r8unorm storage.write-only', 'r32float filterable']);
        assert.match(await page.$eval('[data-slot=differ-against]', (place) => place.textContent), /two devices differ: 2\./);
        await set(page, 'formats.show', 'against');
        assert.deepEqual(await shown(page), ['r8unorm', 'r32float']);
      }));

    test('what is no report is refused in words and changes nothing', () =>
      visit('', async (page) => {
        await probed(page);
        const table = await cells(page);
        for (const [name, text, says] of [
          ['a.json', '{"texelarium": 1,', /not well formed/],
          ['b.json', '{"name": "x"}', /no report/],
          ['c.json', '{"texelarium": 2}', /another version/],
          ['d.json', ' '.repeat((2 << 20) + 1), /larger than any report/],
          ['e.json', '['.repeat(100_000), /not well formed/],
          ['f.json', '{"texelarium": 1, "formats": 7}', /not well formed/],
        ]) {
          await load(page, name, text);
          assert.match(await told(page), says);
          assert.equal(await cells(page), table, name);
          assert.equal(await page.$(`option[value="file:${name}"]`), null);
        }
      }));

    test('what a hostile report says is text', () =>
      visit('', async (page) => {
        await probed(page);
        const { text } = await exported(page);
        const report = JSON.parse(text);
        const evil = '<img src=x onerror="document.title=1"><script>document.title=2</script>';
        report.formats.r8unorm['storage.write-only'].message = evil;
        report.adapter.vendor = evil;
        report.features.push(evil);
        report.claims[evil] = { verdict: evil };
        await load(page, '<b>evil.json', JSON.stringify(report));
        await page.select('[name="formats.device"]', 'file:<b>evil.json');
        await page.$eval('tr[data-format=r8unorm] [data-cap="storage.write-only"] button', (button) => button.click());
        await until(page, (evil) => document.querySelector('#formats-cell output').textContent === evil, evil);
        assert.equal(await page.$('.formats img, .formats script:not([data-slot=scripts]), .formats b'), null);
        assert.match(await page.title(), /Texelarium/);
      }));

    test('recorded devices are there to see', () =>
      visit(`?formats.device=${names[0].replace('.json', '')}&formats.against=${names[1].replace('.json', '')}`, async (page) => {
        const [one, two] = names.map((name) => read(RECORDED + name));
        await until(page, () => document.querySelectorAll('[data-differs~=against]').length > 0);
        await until(page, () => document.querySelector('[data-formats]').dataset.state === 'tried');
        let differing = 0;
        for (const [format, cells] of Object.entries(one.formats))
          for (const [cap, { device }] of Object.entries(cells)) {
            const other = two.formats[format][cap].device;
            differing += Number(device !== 'untried' && other !== 'untried' && device !== other);
          }
        assert.equal((await page.$$('[data-differs~=against]')).length, differing);
        assert.equal(JSON.stringify(JSON.parse((await exported(page)).text)), JSON.stringify(one));
      }));

    test('an open table has no fault that axe finds', () =>
      visit('?formats.columns=sampled,attachment,storage,copy,types,depth,other&formats.cell=r8unorm/storage.read-write', async (page) => {
        await probed(page);
        await page.evaluate(axe.source);
        const { violations } = await page.evaluate(() => window.axe.run({ resultTypes: ['violations'], preload: false }));
        assert.deepEqual(violations.map(({ id, nodes }) => `${id}: ${nodes[0].target}`), []);
        await page.setViewport({ width: 320, height: 800, deviceScaleFactor: 0 });
        assert.ok((await page.evaluate(() => document.scrollingElement.scrollWidth)) <= 320);
      }));

    test('the probe leaves nothing behind, twenty times over on one device', () =>
      site.visit(
        `${PAGE}?precision.t=1`,
        async (page) => {
          await probed(page);
          await tried(page);
          for (let time = 1; time < 20; time += 1) {
            await page.$eval('[data-act="formats.probe"]', (button) => button.click());
            await until(page, (times) => window.made.errorScopes > times, await page.evaluate(() => window.made.errorScopes));
            await probed(page);
          }
          const { devices, textures, buffers } = await page.evaluate(() => window.made);
          console.log(`${engine}: ${textures.created} textures in 20 runs. ${await told(page)}`);
          assert.ok(textures.created > 20 * 1000, `${textures.created} textures`);
          assert.equal(textures.destroyed, textures.created);
          // The one that attempts share lives as long as the device.
          assert.equal(buffers.destroyed, buffers.created - 1);
          assert.deepEqual(devices, { created: 1, destroyed: 0 });
          // A device that was lost is no use any more: the next time takes another.
          await page.evaluate(async () => {
            window.made.device.destroy();
            await window.made.device.lost;
          });
          await page.$eval('[data-act="formats.probe"]', (button) => button.click());
          await until(page, () => window.made.devices.created === 2);
          await probed(page);
        },
        {
          before: () => {
            // Of the devices that the table opens; claims and figures have their own.
            const made = { errorScopes: 0, devices: { created: 0, destroyed: 0 }, textures: { created: 0, destroyed: 0 }, buffers: { created: 0, destroyed: 0 } };
            window.made = made;
            const own = new WeakMap();
            const count = (prototype, name, kind) => {
              const { [name]: make } = prototype;
              prototype[name] = function (...all) {
                const object = make.apply(this, all);
                if (this.label === 'formats') {
                  made[kind].created += 1;
                  own.set(object, made[kind]);
                }
                return object;
              };
            };
            count(GPUDevice.prototype, 'createTexture', 'textures');
            count(GPUDevice.prototype, 'createBuffer', 'buffers');
            const { pushErrorScope } = GPUDevice.prototype;
            GPUDevice.prototype.pushErrorScope = function (filter) {
              made.errorScopes += Number(this.label === 'formats');
              return pushErrorScope.call(this, filter);
            };
            const { requestDevice } = GPUAdapter.prototype;
            GPUAdapter.prototype.requestDevice = async function (...all) {
              const device = await requestDevice.apply(this, all);
              if (device.label === 'formats') {
                made.device = device;
                made.devices.created += 1;
                own.set(device, made.devices);
              }
              return device;
            };
            for (const { prototype } of [GPUTexture, GPUBuffer, GPUDevice]) {
              const { destroy } = prototype;
              prototype.destroy = function () {
                const counts = own.get(this);
                if (counts) counts.destroyed += 1;
                return destroy.call(this);
              };
            }
          },
        },
      ));

    // Firefox has neither such a trace nor entries for long tasks.
    if (engine === 'chromium') {
      test('the probe leaves the page its turn', () =>
        site.visit(`${PAGE}?precision.t=1`, async (page) => {
          await probed(page);
          await tried(page);
          await page.tracing.start({ categories: ['toplevel', '__metadata'] });
          await page.$eval('[data-act="formats.probe"]', (button) => button.click());
          await until(page, () => document.querySelector('[data-formats]').dataset.state === 'probing');
          await probed(page);
          const { traceEvents } = JSON.parse(new TextDecoder().decode(await page.tracing.stop()));
          const thread = ({ pid, tid }) => `${pid}/${tid}`;
          const main = traceEvents.filter(({ name, args }) => name === 'thread_name' && args.name === 'CrRendererMain').map(thread);
          // What a task takes of the processor: other load on the machine makes it later, not longer.
          const tasks = traceEvents.filter((event) => /RunTask/.test(event.name) && main.includes(thread(event))).map(({ tdur }) => tdur / 1000);
          const sum = tasks.reduce((sum, time) => sum + (time || 0), 0);
          const longest = Math.max(...tasks.filter((time) => time >= 0));
          console.log(`${engine}: ${tasks.length} tasks of the main thread, ${sum.toFixed(0)} ms in all, the longest ${longest.toFixed(1)} ms`);
          assert.ok(tasks.length > 1000 && sum > 50, `${tasks.length} tasks`);
          assert.ok(longest < 50, `${longest} ms`);
        }));
    }

    test('without WebGPU the table shows a recorded device, and is searched all the same', () =>
      site.visit(
        PAGE,
        async (page) => {
          await until(page, () => document.querySelectorAll('td[data-cap]').length > 4000);
          await until(page, () => /Recorded on/.test(document.querySelector('[data-slot=told]').textContent));
          await set(page, 'formats.find', 'bc7');
          assert.deepEqual(await shown(page), ['bc7-rgba-unorm', 'bc7-rgba-unorm-srgb']);
          const first = read(RECORDED + names[0]);
          const { exists } = first.formats['bc7-rgba-unorm'];
          const cell = await page.$eval('tr[data-format=bc7-rgba-unorm] [data-cap=exists]', (cell) => ({ ...cell.dataset }));
          assert.deepEqual([cell.spec, cell.device], [exists.spec, exists.device]);
          assert.ok(!(await page.$eval('[data-act="formats.probe"]', (button) => button.checkVisibility())));
        },
        { before: () => delete Navigator.prototype.gpu },
      ));

    test('an open cell stays under its row, and goes with it', () =>
      visit('?formats.cell=rgba16float/filterable', async (page) => {
        const above = () => page.$eval('#formats-cell', (row) => row.previousElementSibling.dataset.format);
        assert.equal(await above(), 'rgba16float');
        await page.$eval('th[data-sort=bytes] button', (button) => button.click());
        assert.equal(await above(), 'rgba16float');
        await set(page, 'formats.find', 'bc7');
        assert.ok(await page.$eval('#formats-cell', (row) => row.hidden));
        await set(page, 'formats.find', 'rgba');
        assert.ok(await page.$eval('#formats-cell', (row) => !row.hidden));
      }));

    test('without scripts the table is a table', async () => {
      const plain = await launch(engine, { scripts: false });
      try {
        const page = await plain.open(PAGE);
        const seen = await page.evaluate(() => {
          const visible = (selector) => [...document.querySelectorAll(selector)].filter((element) => element.checkVisibility());
          return {
            rows: visible('tr[data-format] th').length,
            cells: visible('td[data-cap][data-spec][data-device]').length,
            words: new Set(visible('td[data-cap]').map(({ textContent }) => textContent)),
            controls: visible('[data-formats] :is(input, select, button)').length,
            mark: getComputedStyle(document.querySelector('td[data-spec=yes]'), '::before').backgroundImage,
          };
        });
        assert.deepEqual({ rows: seen.rows, cells: seen.cells, controls: seen.controls }, { rows: 101, cells: 1212, controls: 0 });
        assert.match(seen.mark, /gradient/);
      } finally {
        await plain.close();
      }
    });
  });
}
