// errors: the catalogue holds every recorded message with cause and fix, and finds it from what a reader pastes

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { ENGINES, launch, pages, read, tried, until, violations } from './site.mjs';

const FIND = '[name="errors.find"]';
const ENTRIES = '[data-errors]>[data-claim]';
const catalogues = pages.filter(({ path }) => path.endsWith('errors.html'));

/** Every recorded message, with its claim and engine. */
const MESSAGES = Object.values(read('www/recorded/claims.json')).flatMap(({ engine, claims }) =>
  Object.entries(claims).flatMap(([id, { tries }]) =>
    Object.values(tries).filter(({ message }) => message).map(({ message }) => ({ id, engine, message })),
  ),
);
/** As it would be in a reader's program: with other labels and other numbers. */
const anothers = (message) =>
  message
    .replaceAll(/claim\/[\w-]+\/\w+/g, 'the shader’s storage texture, vertex view')
    .replaceAll(/\b\d+\b/g, (number) => `${7 + Number(number)}`);

/** Types or pastes, at once. */
const find = (page, text) =>
  page.$eval(
    FIND,
    (input, text) => {
      input.value = text;
      input.dispatchEvent(new Event('input', { bubbles: true }));
    },
    text,
  );

/** The entries that are shown, in their order. */
const shown = (page) => page.$$eval(ENTRIES, (all) => all.filter((entry) => entry.checkVisibility()).map(({ id }) => id));

const count = (page) => page.$eval('[data-errors] [data-slot=count]', ({ textContent }) => textContent);
const words = (page) => page.$eval('#words', ({ textContent }) => JSON.parse(textContent));

/** Pastes each message; gives the place of its entry among those found, −1 if it is not. */
const places = (page, messages) =>
  page.evaluate(
    (FIND, ENTRIES, messages) => {
      const input = document.querySelector(FIND);
      return messages.map(({ id, message }) => {
        input.value = message;
        input.dispatchEvent(new Event('input', { bubbles: true }));
        return [...document.querySelectorAll(`${ENTRIES}:not([hidden])`)].findIndex((entry) => entry.id === id);
      });
    },
    FIND,
    ENTRIES,
    messages,
  );

/** Each of them is found, among the first three; says how many are the first. */
async function findsAll(t, page, messages) {
  const found = await places(page, messages);
  const late = messages.filter((_, at) => found[at] < 0 || found[at] > 2).map(({ id, message }) => `${id}: ${message}`);
  t.diagnostic(`${found.filter((place) => place === 0).length} of ${found.length} are the first`);
  assert.deepEqual(late, []);
}

test('there is a catalogue in each language, of every claim that was ever refused', () => {
  assert.equal(catalogues.length, pages.filter(({ path }) => path.endsWith('index.html')).length);
  for (const { path, claims } of catalogues) {
    assert.deepEqual([...new Set(MESSAGES.map(({ id }) => id))].filter((id) => !claims.includes(id)), [], path);
  }
});

for (const engine of ENGINES) {
  describe(engine, () => {
    let site;
    before(async () => (site = await launch(engine)));
    after(() => site.close());

    const open = (look, query = '') =>
      site.visit(`errors.html${query}`, async (page) => {
        await tried(page);
        await look(page);
      });

    for (const { path } of catalogues) {
      test(`${path}: each entry has its messages, cause, fix and claim`, () =>
        site.visit(path, async (page) => {
          const entries = await page.$$eval(ENTRIES, (all) =>
            all.map((entry) => ({
              id: entry.id,
              rows: [...entry.querySelectorAll('dl>div:not([data-slot])')].map((row) => [...row.children].map(({ innerText }) => innerText.trim())),
              said: [...entry.querySelectorAll('dl .words')].map(({ textContent }) => textContent),
              claim: entry.querySelector('.rule a').getAttribute('href'),
              label: entry.getAttribute('aria-label'),
            })),
          );
          const seen = new Map();
          for (const { id, rows, said, claim } of entries) {
            assert.ok(rows.length >= 2 && rows.flat().every((text) => text !== ''), `${id}: ${rows}`);
            const [file, anchor] = claim.split('#');
            assert.equal(anchor, id);
            const page = new URL(file, `http://site/${path}`).pathname.slice(1);
            assert.ok(pages.find((other) => other.path === page)?.claims.includes(id), `${page} does not make the claim ${id}`);
            seen.set(id, said.join('\n'));
          }
          for (const { id, message } of MESSAGES) {
            const [first] = message.trim().split('\n');
            assert.ok(seen.get(id).includes(first), `${id} does not show: ${first}`);
          }
          await tried(page);
        }));
    }

    test('every recorded message finds its entry, with the labels and numbers of whoever', (t) =>
      open(async (page) => {
        await findsAll(t, page, MESSAGES);
        await findsAll(t, page, MESSAGES.map(({ message, ...it }) => ({ ...it, message: anothers(message) })));
        await findsAll(t, page, MESSAGES.map(({ message, ...it }) => ({ ...it, message: `Uncaptured error:\n${anothers(message)}\n    at draw (app.js:41:7)` })));
      }));

    test('what this browser says counts, where nothing is recorded', async (t) => {
      const change = (url, html) => html.replaceAll(/<div class="words"[^]*?<\/div>/g, '');
      const bare = await launch(engine, { change });
      try {
        await bare.visit('errors.html', async (page) => {
          await tried(page);
          const own = await page.$$eval(`${ENTRIES} [data-message]`, (all) =>
            all.map((attempt) => ({ id: attempt.closest('[data-claim]').id, message: attempt.dataset.message })),
          );
          assert.ok(own.length > 20);
          await until(page, () => document.documentElement.dataset.gpu === 'ready');
          await findsAll(t, page, own);
        });
      } finally {
        await bare.close();
      }
    });

    test('a part of a word finds, and so does a word in another spelling', () =>
      open(async (page) => {
        for (const text of ['usage', 'STORAGE_B', 'storageb', 'oragebind', 'Storage-Binding', 'usage-flag', '"STORAGE_BINDING"']) {
          await find(page, text);
          const found = await shown(page);
          assert.ok(found.includes('usage-flag') && found.length < catalogues[0].claims.length, `${text}: ${found}`);
          const all = await page.$$eval(ENTRIES, ({ length }) => length);
          assert.equal(await count(page), (await words(page))['errors.some'].replace('{shown}', found.length).replace('{all}', all));
        }
      }));

    test('Chinese is found within its sentences', () =>
      site.visit('zh/errors.html', async (page) => {
        await tried(page);
        await find(page, '用途标志');
        assert.equal((await shown(page))[0], 'usage-flag');
      }));

    test('no search shows all, in the order of the pages; a hopeless one says so', () =>
      open(async (page) => {
        const all = catalogues.find(({ path }) => path === 'errors.html').claims;
        const said = await words(page);
        assert.deepEqual(await shown(page), all);
        assert.equal(await page.$eval('[data-errors] [data-slot=count]', (count) => count.getAttribute('role')), 'status');
        for (const text of ['', '   \n ', '😀 🦀', '4096', '']) {
          await find(page, 'depth aspect copy');
          assert.notDeepEqual(await shown(page), all);
          await find(page, text);
          assert.deepEqual(await shown(page), all, text);
          assert.equal(await count(page), said['errors.all'].replace('{all}', all.length));
        }
        await find(page, 'zyzzyva');
        assert.deepEqual(await shown(page), []);
        assert.equal(await count(page), said['errors.none']);
      }));

    test('hostile input is only text', () =>
      open(async (page) => {
        const hostile = ['<img src=x onerror="document.title=1">', '</script><script>document.title=1</script>', '[data-claim]"]:not(', '"', "' label", '%F0%9F&errors.find=1#x', '\u202e\u0000'];
        const title = await page.title();
        const elements = await page.$$eval('body *', ({ length }) => length);
        for (const text of hostile) {
          await find(page, text);
          await until(page, (text) => new URLSearchParams(location.search).get('errors.find') === text, text);
        }
        await find(page, Array.from({ length: 17_000 }, (_, at) => (at * 7919).toString(36)).join(' '));
        assert.ok((await page.evaluate(() => location.href)).length < 10_000, 'the address stays short');
        await find(page, '');
        assert.equal(await page.title(), title);
        assert.equal(await page.$$eval('body *', ({ length }) => length), elements);
      }));

    test('the Tab key goes through what is found in the order that is seen', () =>
      open(async (page) => {
        await page.focus(FIND);
        await page.keyboard.type('cannot copy into the depth aspect');
        const found = await shown(page);
        assert.ok(found.length > 1);
        const [at, tops] = [[], await page.$$eval(ENTRIES, (all) => all.filter((entry) => entry.checkVisibility()).map((entry) => entry.getBoundingClientRect().top))];
        assert.deepEqual(tops, tops.toSorted((a, b) => a - b));
        while (at.length < found.length) {
          await page.keyboard.press('Tab');
          const entry = await page.evaluate(() => document.activeElement.closest('[data-claim]')?.id ?? 'none');
          if (at.at(-1) !== entry) at.push(entry);
        }
        assert.deepEqual(at, found);
      }));

    test('a search has an address', async () => {
      let address;
      await open(async (page) => {
        const all = await shown(page);
        await find(page, 'mipLevelCount (2) of\n"view" & more?');
        const found = await shown(page);
        // Once the reader has stopped typing.
        await until(page, () => location.search !== '');
        address = await page.evaluate(() => location.href);
        const other = await page.$eval('a[hreflang=es]', ({ href }) => href);
        assert.equal(new URL(other).search, new URL(address).search);
        await page.reload();
        await tried(page);
        assert.deepEqual(await shown(page), found);
        assert.equal(await page.$eval(FIND, ({ value }) => value), 'mipLevelCount (2) of\n"view" & more?');
        await find(page, '');
        await until(page, () => location.search === '');
        assert.deepEqual(await shown(page), all);
      });
      await open(async (page) => assert.equal((await shown(page))[0], 'one-level'), new URL(address).search);
    });

    test('the entry that an address names is shown, whatever it searches for', () =>
      open(async (page) => {
        assert.ok(await page.$eval('#one-level', (entry) => entry.checkVisibility()));
        assert.equal(await page.$eval(FIND, ({ value }) => value), '');
      }, '?errors.find=swizzle#one-level'));

    test('the way back leads to the search that was', () =>
      open(async (page) => {
        await find(page, 'mipLevelCount');
        await until(page, () => location.search !== '');
        await page.evaluate(() => (location.hash = 'where'));
        await find(page, 'swizzle');
        await until(page, () => /swizzle/.test(location.search));
        await page.evaluate(() => setTimeout(() => history.back()));
        await until(page, (find) => document.querySelector(find)?.value === 'mipLevelCount' && document.documentElement.dataset.gpu === 'ready', FIND);
        await tried(page);
        assert.equal((await shown(page))[0], 'one-level');
      }));

    test('claims that get no device say why, and take nothing from the tally', () =>
      open(async (page) => {
        const tally = () => page.evaluate(() => localStorage.getItem('texelarium.verdicts'));
        const before = await tally();
        assert.ok(Object.keys(JSON.parse(before)).length > 20);
        await page.evaluateOnNewDocument(() => {
          const { requestDevice } = GPUAdapter.prototype;
          GPUAdapter.prototype.requestDevice = function (descriptor) {
            return descriptor?.label === 'claims' ? Promise.reject(new TypeError('none left')) : requestDevice.call(this, descriptor);
          };
        });
        await page.reload();
        await tried(page);
        assert.ok(await page.$$eval(ENTRIES, (all) => all.every(({ dataset }) => dataset.verdict === 'unavailable')));
        assert.equal(await page.$eval(`${ENTRIES} output`, (output) => output.innerText.trim()), 'none left');
        assert.equal(await tally(), before);
      }));

    test('axe finds no fault, with a search and without a result', () =>
      open(async (page) => {
        for (const text of ['usage', 'zyzzyva']) {
          await find(page, text);
          assert.deepEqual(await violations(page), []);
        }
      }));

    test('without WebGPU what was recorded is there and is found', (t) =>
      site.visit(
        'errors.html?errors.find=STORAGE_B',
        async (page) => {
          await until(page, () => document.documentElement.dataset.gpu === 'no-webgpu');
          assert.ok((await shown(page)).includes('usage-flag'));
          await findsAll(t, page, MESSAGES);
          await find(page, '');
          const trying = await page.$$eval(`${ENTRIES} :is(.v, .tries, [data-slot=said])`, (all) => all.filter((it) => it.checkVisibility()).length);
          assert.equal(trying, 0, 'nothing says that it is being tried');
        },
        { before: () => Object.defineProperty(Navigator.prototype, 'gpu', { get: () => undefined }) },
      ));

    test('a claim’s own page leads to its entry', () =>
      site.visit('storage-textures.html', async (page) => {
        await tried(page);
        const links = await page.$$eval('[data-claim] a[href*="errors.html#"]', (all) => all.map((link) => [link.closest('[data-claim]').id, link.hash.slice(1)]));
        assert.ok(links.length > 20);
        for (const [id, entry] of links) assert.equal(entry, id);
      }));
  });
}
