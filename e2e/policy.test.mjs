// policy: the content-security policy is in force, and the page keeps to it

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { ENGINES, figures, launch, pages, serve, settled, tried } from './site.mjs';

for (const engine of ENGINES) {
  describe(engine, () => {
    let site, other;
    before(async () => {
      site = await launch(engine);
      other = await serve();
    });
    after(async () => {
      await site.close();
      other.server.close();
    });

    test('nothing from outside or inline gets through', async () => {
      let reached = 0;
      other.server.on('request', () => (reached += 1));
      const page = await site.open(pages[0].path);
      await page.evaluate((other) => {
        window.ran = [];
        const add = (tag, values) => document.body.append(Object.assign(document.createElement(tag), values));
        add('script', { textContent: 'ran.push("script")' });
        add('style', { textContent: 'h1 { color: rgb(1, 2, 3) }' });
        add('script', { src: `${other}boot.js` });
        add('link', { rel: 'stylesheet', href: `${other}site.css` });
        add('img', { src: `${other}img/favicon.svg` });
        add('iframe', { src: `${other}index.html` });
        add('form', { action: `${other}index.html` });
        document.querySelector('h1').setAttribute('style', 'color: rgb(1, 2, 3)');
        document.querySelector('h1').setAttribute('onclick', 'ran.push("handler")');
        document.querySelector('h1').click();
        try {
          document.querySelector('form').submit();
        } catch {
          // Firefox throws.
        }
        fetch(`${other}index.html`).then(() => window.ran.push('fetch'), () => {});
        // Not here: a driver's evaluation may be free of the policy.
        const work = new Promise((done) => setTimeout(() => {
          try {
            (0, eval)('ran.push("eval")');
          } catch {}
          done();
        }));
        return work;
      }, other.base);
      const violations = () => [...new Set(window.watch.violations)].sort();
      const expected = ['connect-src', 'form-action', 'frame-src', 'img-src', 'script-src', 'script-src-attr', 'script-src-elem', 'style-src-attr', 'style-src-elem'];
      await page.waitForFunction(`new Set(watch.violations).size >= ${expected.length}`).catch(() => {});
      assert.deepEqual(await page.evaluate(violations), expected);
      assert.deepEqual(await page.evaluate(() => window.ran), []);
      assert.notEqual(await page.$eval('h1', (h1) => getComputedStyle(h1).color), 'rgb(1, 2, 3)');
      assert.equal(reached, 0, 'requests that reached another origin');
      await page.close();
    });

    for (const [id, path] of figures) {
      test(`${id} is used within the policy`, () =>
        site.visit(`${path}?${id}.t=1`, async (page) => {
          await tried(page);
          const figure = await page.$(`figure[data-figure="${id}"]`);
          for (const input of await figure.$$('[data-slot=controls] input')) {
            await input.focus();
            await page.keyboard.press('ArrowRight');
          }
          for (const act of ['play', 'play', 'step', 'restart', 'link', 'save']) {
            await (await figure.$(`[data-act=${act}]`)).press('Enter');
          }
          await (await figure.$('[data-slot=picture] canvas')).press('ArrowLeft');
          await settled(page, id);
          assert.deepEqual(await page.evaluate(() => window.watch.violations), []);
        }));
    }
  });
}
