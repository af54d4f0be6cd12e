// offline: after the first visit the site works without a network, and a new version never meets the old one's files

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, describe, test } from 'node:test';
import { ENGINES, file, files, launch, pages, read, tried, until } from './site.mjs';

const [OLD] = files.find((path) => path.startsWith('v-')).split('/');
const NEW = 'v-00000000';
const PAGE = pages.find(({ figures, claims }) => figures.length && claims.length).path;
const TYPES = { html: 'text/html;charset=utf-8', js: 'text/javascript', wasm: 'application/wasm', css: 'text/css', png: 'image/png', svg: 'image/svg+xml' };

/** The second version: every file under another name, and the old names gone. */
function deployed(path, response) {
  const stored = path.replace(NEW, OLD);
  if (path.startsWith(OLD) || !files.includes(stored)) return response.writeHead(404).end() && true;
  const isText = /\.html$|^sw\.js$/.test(path);
  const renamed = () => read(`dist/${stored}`).toString().replaceAll(OLD, NEW);
  const body = isText
    ? renamed().replace('<h1>', '<h1>Second: ').replace(/(?<=PREFIX\}) ?[0-9a-f]{8}/, '00000000')
    : readFileSync(file(`dist/${stored}`));
  return response.writeHead(200, { 'Content-Type': TYPES[path.split('.').at(-1)] ?? 'text/plain' }).end(body) && true;
}

/** The version whose files the page asks for, and its heading. */
const version = (page) =>
  page.evaluate(() => {
    const names = [...document.querySelectorAll('link[href], script[src], img[src]')]
      .map((element) => /v-[0-9a-f]{8}/.exec(element.href ?? element.src)?.[0])
      .filter(Boolean);
    return [...new Set(names), document.querySelector('h1').textContent.startsWith('Second')];
  });

const kept = (page) => page.evaluate(async () => (await navigator.serviceWorker.ready) && (await caches.keys()).length);
const ready = (page) => until(page, () => document.documentElement.dataset.gpu === 'ready');

for (const engine of ENGINES) {
  describe(engine, () => {
    let site;
    let second = false;
    let broken = false;
    before(async () => {
      const isMissing = (path) => broken && path.endsWith('.wasm');
      const answer = (path, response) =>
        second && (isMissing(path) ? response.writeHead(503).end() && true : deployed(path, response));
      site = await launch(engine, { answer });
    });
    after(() => site.close());

    test('a new version takes over at the next page, whole; without a network it is the one that stays', async () => {
      const page = await site.open(PAGE);
      await until(page, () => navigator.serviceWorker.controller !== null);
      assert.equal(await kept(page), 1);
      assert.deepEqual(await version(page), [OLD, false]);

      // A version that cannot be fetched whole is not kept, and takes nothing from the one that is.
      second = broken = true;
      const refused = await page.evaluate(async () => {
        const registration = await navigator.serviceWorker.ready;
        const over = new Promise((resolve) => {
          registration.addEventListener('updatefound', () => {
            const worker = registration.installing;
            worker.addEventListener('statechange', () => resolve(worker.state));
          });
        });
        await registration.update();
        return over;
      });
      assert.equal(refused, 'redundant');
      assert.equal(await kept(page), 1);

      broken = false;
      await page.reload();
      await ready(page);
      assert.deepEqual(await version(page), [NEW, true]);
      await tried(page);
      // The new version is kept whole before the network goes.
      await until(page, async () => (await caches.keys()).length === 2 && !(await navigator.serviceWorker.ready).installing);

      await new Promise((resolve) => {
        site.server.close(resolve);
        site.server.closeAllConnections();
      });
      await page.reload();
      await ready(page);
      assert.deepEqual(await version(page), [NEW, true]);
      await tried(page);
      assert.ok(await page.$$eval('figure img', (all) => all.every(({ naturalWidth }) => naturalWidth > 0)));

      // Another page, never opened before, with a state in its address.
      await page.goto(`${site.base}index.html?grid.t=1`);
      await ready(page);
      assert.equal(await page.$eval('figure', ({ dataset }) => dataset.state), 'paused');
      await page.close();
    });
  });

  describe(`${engine}, whose storage hangs`, () => {
    const worker = `caches.keys = caches.match = () => new Promise(() => {});\n${read('dist/sw.js')}`;
    let site;
    before(async () => {
      const answer = (path, response) =>
        path === 'sw.js' && response.writeHead(200, { 'Content-Type': TYPES.js }).end(worker) && true;
      site = await launch(engine, { answer });
    });
    after(() => site.close());

    test('the service worker is ready, and the site comes from the network', async () => {
      const page = await site.open(PAGE);
      await until(page, () => navigator.serviceWorker.controller?.state === 'activated');
      await page.reload();
      await ready(page);
      assert.deepEqual(await version(page), [OLD, false]);
      await page.close();
    });
  });
}
