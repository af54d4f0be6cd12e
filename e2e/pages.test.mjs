// pages: every page in every language starts, links, fits, is accessible, goes where its address says and reads without scripts

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { ENGINES, files, launch, pages, read, tried, violations } from './site.mjs';

const PAPER = { light: 'rgb(245, 241, 231)', dark: 'rgb(23, 25, 26)' };
const once = pages.filter(({ twice }) => !twice);
/** For what depends on no words. */
const english = once.filter(({ path }) => !path.includes('/'));

const resize = (page, width) => page.setViewport({ width, height: 900, deviceScaleFactor: 0 });

/** The ids that a page of dist/ has when it arrives. */
const anchors = (path) => [...read(`dist/${path}`).toString().matchAll(/ id="([^"]*)"/g)].map(([, id]) => id);

/** The links and sources of a page that lead nowhere. */
async function dead(page, base, path) {
  const links = await page.$$eval('[href], [src]', (elements) =>
    elements.map((element) => new URL(element.getAttribute('href') ?? element.getAttribute('src'), location).href),
  );
  const here = await page.$$eval('[id]', (elements) => elements.map(({ id }) => id));
  assert.ok(links.length > 2);
  return links.filter((link) => {
    if (!link.startsWith(base)) return !/^(https:\/\/|data:)/.test(link);
    const { pathname, hash } = new URL(link);
    const file = decodeURIComponent(pathname).slice(new URL(base).pathname.length).replace(/(^|\/)$/, '$1index.html');
    if (!files.includes(file)) return true;
    const id = decodeURIComponent(hash.slice(1));
    return id !== '' && !(file === path ? here : anchors(file)).includes(id);
  });
}

test('there are pages', () => {
  assert.ok(files.includes('index.html'));
  assert.ok(pages.some(({ claims, figures }) => claims.length > 0 && figures.length > 0));
});

for (const engine of ENGINES) {
  describe(engine, () => {
    let light, dark;
    before(async () => {
      light = await launch(engine);
      dark = await launch(engine, { dark: true });
    });
    after(async () => {
      await light.close();
      await dark.close();
    });

    for (const { path } of pages) {
      test(path, (t) =>
        light.visit(path, async (page) => {
          await tried(page);
          await t.test('starts, with its head in order', async () => {
            const head = await page.evaluate(() => ({
              gpu: document.documentElement.dataset.gpu,
              lang: document.documentElement.lang.split('-')[0],
              title: document.title,
              description: document.querySelector('meta[name=description]')?.content ?? '',
              policy: document.querySelector('meta[http-equiv=Content-Security-Policy]')?.content ?? '',
            }));
            assert.equal(head.gpu, 'ready');
            assert.equal(head.lang, /^(..)\//.exec(path)?.[1] ?? 'en');
            assert.match(head.title, /^(\S.* · )?Texelarium$/);
            assert.match(head.description, /\S{2}/);
            const rules = new Map(head.policy.split(';').map((rule) => rule.trim().split(/ (.*)/)));
            assert.equal(rules.get('default-src'), "'none'");
            assert.equal(rules.get('script-src'), "'self' 'wasm-unsafe-eval'");
            assert.equal(rules.get('style-src'), "'self'");
            assert.equal(rules.get('connect-src'), "'self'");
          });
          await t.test('has no dead link', async () => {
            assert.deepEqual(await dead(page, light.base, path), []);
          });
          for (const width of [1280, 360]) {
            await t.test(`has no fault that axe finds, ${width} wide`, async () => {
              await resize(page, width);
              assert.equal(await page.$eval('body', (body) => getComputedStyle(body).backgroundColor), PAPER.light);
              assert.deepEqual(await violations(page), []);
            });
          }
          await t.test('fits into 320 pixels', async () => {
            await resize(page, 320);
            const [content, window] = await page.evaluate(() => [document.scrollingElement.scrollWidth, innerWidth]);
            assert.equal(window, 320);
            assert.ok(content <= 320, `${content} wide`);
          });
        }));
    }

    for (const { path, claims, figures } of english) {
      test(`${path} has enough contrast in the dark`, () =>
        dark.visit(path, async (page) => {
          await tried(page);
          assert.equal(await page.$eval('body', (body) => getComputedStyle(body).backgroundColor), PAPER.dark);
          assert.deepEqual(await violations(page, ['color-contrast', 'link-in-text-block']), []);
        }));

      const id = claims.at(-1) ?? figures.at(-1);
      if (id) {
        test(`${path}#${id} scrolls there`, () =>
          light.visit(`${path}#${id}`, async (page) => {
            await tried(page);
            const [top, bottom, height] = await page.evaluate((id) => {
              const { top, bottom } = document.getElementById(id).getBoundingClientRect();
              return [top, bottom, innerHeight];
            }, id);
            assert.ok(top >= 0 && Math.min(bottom, top + 100) <= height, `it is at ${top} of ${height}`);
          }));
      }
    }

    test('404.html', () =>
      light.visit('404.html', async (page) => {
        assert.deepEqual(await dead(page, light.base, '404.html'), []);
        assert.deepEqual(await violations(page), []);
      }));

    describe('without scripts', () => {
      let site;
      before(async () => (site = await launch(engine, { scripts: false })));
      after(() => site.close());

      for (const { path, claims, figures } of once) {
        test(`${path} reads`, async () => {
          const page = await site.open(path);
          const seen = await page.evaluate(() => {
            const visible = (selector) =>
              [...document.querySelectorAll(selector)].filter((element) => element.checkVisibility() && element.offsetHeight !== 0);
            return {
              gpu: document.documentElement.dataset.gpu,
              letters: document.querySelector('main').innerText.length,
              posters: visible('figure[data-figure] img').filter((img) => img.naturalWidth > 0).length,
              listings: visible('pre code').length,
              sentences: visible('[data-claim] .says').length,
              buttons: visible('button').length,
            };
          });
          assert.equal(seen.gpu, 'starting', 'a script ran');
          assert.ok(seen.letters > 500, `${seen.letters} letters`);
          assert.equal(seen.posters, figures.length);
          assert.ok(seen.listings >= figures.length, `${seen.listings} listings`);
          assert.equal(seen.sentences, claims.length);
          assert.equal(seen.buttons, 0, 'buttons that do nothing');
          // Chromium preloads no module that will not run, and calls it blocked.
          assert.deepEqual(page.faults.filter((fault) => !/^failed .*\.js csp$/.test(fault)), []);
          await page.close();
        });
      }
    });
  });
}
