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
/** Milliseconds in which a key must have its effect: a frame; two of them in Firefox, where the machine that tests is slow. */
const KEY = { chromium: 16, firefox: 32 };

/** The formats of the rows that are shown, from above, once all have appeared. */
const shown = async (page) => {
  await until(page, () => !document.querySelector('.ft[aria-busy]'));
  return page.$$eval('tr[data-format]', (rows) => rows.filter((row) => !row.hidden).map((row) => row.dataset.format));
};
/** The table as it stands: what every cell says. */
const cells = (page) =>
  page.$$eval('td[data-cap]', (cells) =>
    cells.map(({ dataset, textContent }) => JSON.stringify([{ ...dataset }, textContent])).join('\n'),
  );
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
          for (const { cap, spec, device, wgpu, differs } of cells) {
            for (const answer of [spec, device, wgpu]) assert.ok(ANSWERS.includes(answer), `${format} ${cap} ${answer}`);
            const is = report.formats[format][cap];
            assert.deepEqual([spec, device], is ? [is.spec, is.device] : ['none', 'none'], `${format} ${cap}`);
            const isOther = device !== 'untried' && spec !== device;
            assert.equal(differs?.split(' ').includes('device') ?? false, isOther, `${format} ${cap}`);
          }
        }
        const flags = rows.flatMap(([, cells]) => cells).filter(({ differs }) => differs?.includes('device')).length;
        const said = await page.$eval('[data-slot=differ]', (place) => place.textContent);
        assert.match(said, new RegExp(`: ${flags} of the device`));
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
        assert.ok(times.every((time) => time < KEY[engine]), times.join(' '));
        await set(page, 'formats.find', 'bc7 srgb');
        assert.deepEqual(await shown(page), ['bc7-rgba-unorm-srgb']);
        assert.equal(query(page).get('formats.find'), 'bc7 srgb');
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
        assert.match(csv.text, /^format,capability,spec,device,message\r\nr8unorm,exists,yes,yes,\r\n/);
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
        assert.match(await page.$eval('[data-slot=differ]', (place) => place.textContent), /two devices differ: 2\./);
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
        assert.equal(await page.$('.formats img, .formats script, .formats b'), null);
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

    test('the probe leaves nothing behind, twenty times over, and the page its turn', () =>
      site.visit(
        `${PAGE}?precision.t=1`,
        async (page) => {
          await probed(page);
          await tried(page);
          for (let time = 1; time < 20; time += 1) {
            await page.$eval('[data-act="formats.probe"]', (button) => button.click());
            await until(page, (time) => window.devices.destroyed === time + 1, time);
            await probed(page);
          }
          const { textures, devices, tasks } = await page.evaluate(() => ({ textures, devices, tasks: tasks.slice(0, 20).map((run) => Math.max(0, ...run)) }));
          assert.ok(textures.created > 20 * 1000, `${textures.created} textures`);
          assert.equal(textures.destroyed, textures.created);
          assert.equal(devices.destroyed, 20);
          console.log(`${engine}: ${await told(page)} The longest tasks over 50 ms, a run: ${tasks.join(' ')}`);
          // Whatever else the machine is busy with makes tasks longer, but not in every run.
          assert.ok(tasks.includes(0), tasks.join(' '));
        },
        {
          before: () => {
            // Of the devices that the table opens; claims and figures have their own.
            const textures = { created: 0, destroyed: 0 };
            const own = new WeakSet();
            const devices = { destroyed: 0 };
            const { createTexture } = GPUDevice.prototype;
            GPUDevice.prototype.createTexture = function (...all) {
              const texture = createTexture.apply(this, all);
              if (this.label === 'formats') {
                textures.created += 1;
                own.add(texture);
              }
              return texture;
            };
            const { destroy } = GPUTexture.prototype;
            GPUTexture.prototype.destroy = function () {
              if (own.has(this)) textures.destroyed += 1;
              return destroy.call(this);
            };
            const lose = GPUDevice.prototype.destroy;
            GPUDevice.prototype.destroy = function () {
              if (this.label === 'formats') {
                devices.destroyed += 1;
                tasks.push([]);
              }
              return lose.call(this);
            };
            /** Of each run. */
            const tasks = [[]];
            Object.assign(window, { textures, devices, tasks });
            // Firefox knows no such entries.
            if (PerformanceObserver.supportedEntryTypes.includes('longtask')) {
              new PerformanceObserver((list) => {
                const probing = document.querySelector('[data-state=probing]');
                if (probing) tasks.at(-1).push(...list.getEntries().map(({ duration }) => duration));
              }).observe({ type: 'longtask' });
            }
          },
        },
      ));

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
