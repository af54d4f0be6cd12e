// stage: figures cost nothing when nobody sees them move, fill the screen's own pixels, and stand still for who asked for less motion

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { PNG } from 'pngjs';
import { difference, ENGINES, figures, isBlank, launch, pages, picture, pictures, read, settled, show, tried, until } from './site.mjs';

const THRESHOLDS = read('e2e/thresholds.json');
/** Display frames over which costs are counted. */
const FRAMES = 30;
const NOTHING = { frames: 0, submits: 0 };

/** The page with the most figures. */
const most = pages.reduce((most, page) => (page.figures.length > most.figures.length ? page : most));

/** What the page asks for in that time, once `settling` frames have passed. */
async function during(page, settling = 3) {
  return page.evaluate(async (settling, frames) => {
    await window.watch.during(settling);
    return window.watch.during(frames);
  }, settling, FRAMES);
}

/** The canvas's size, and that of its box in the display's pixels. */
const sizes = (page, id) =>
  page.$eval(`figure[data-figure="${id}"] [data-slot=picture] canvas`, async (canvas) => {
    const [entry] = await new Promise((resolve) =>
      new ResizeObserver(resolve).observe(canvas, { box: 'device-pixel-content-box' }),
    );
    const [{ inlineSize, blockSize }] = entry.devicePixelContentBoxSize;
    return { canvas: [canvas.width, canvas.height], box: [inlineSize, blockSize], css: canvas.clientWidth };
  });

for (const engine of ENGINES) {
  describe(engine, () => {
    let plain, dense;
    before(async () => {
      plain = await launch(engine);
      dense = await launch(engine, { scale: 2, still: true });
    });
    after(async () => {
      await plain.close();
      await dense.close();
    });

    test('a figure is built when it is first seen', () =>
      plain.visit(most.path, async (page) => {
        await tried(page);
        const built = () => page.evaluate((all) => all.filter((id) => window.watch.modules.includes(`${id}/shader`)), most.figures);
        const seen = await page.evaluate(() => Object.keys(window.watch.drawn));
        assert.deepEqual((await built()).sort(), seen.sort());
        const last = most.figures.at(-1);
        assert.ok(!seen.includes(last));
        await show(page, last);
        await pictures(page, last);
        assert.ok((await built()).includes(last));
      }));

    for (const [id, path] of figures) {
      const root = `figure[data-figure="${id}"]`;
      const others = [...figures.keys()].filter((other) => other !== id).map((other) => `${other}.t=0`);

      test(`${id} costs nothing off screen, hidden or paused`, () =>
        plain.visit(`${path}?${others.join('&')}`, async (page) => {
          await tried(page);
          // A figure that waits for a prediction stands paused until it has one.
          await page.$$eval(`${root} .ask input`, ([option]) => option?.click());
          const runs = async (when) => {
            await show(page, id);
            await pictures(page, id, 2);
            const { frames, submits } = await page.evaluate(() => window.watch.during(5));
            assert.ok(frames > 0 && submits > 0, `${when}: ${frames} frames, ${submits} submits`);
          };
          await runs('on screen');

          const away = await page.$eval(root, (figure) => {
            scrollTo(0, document.scrollingElement.scrollHeight);
            if (figure.getBoundingClientRect().bottom > 0) scrollTo(0, 0);
            const { top, bottom } = figure.getBoundingClientRect();
            return bottom < 0 || top > innerHeight;
          });
          assert.ok(away);
          assert.deepEqual(await during(page), NOTHING, 'off screen');
          await runs('back on screen');

          await page.$eval(root, (figure) => (figure.hidden = true));
          assert.deepEqual(await during(page), NOTHING, 'hidden');
          await page.$eval(root, (figure) => (figure.hidden = false));
          await runs('shown again');

          await (await page.$(`${root} [data-act=play]`)).press('Enter');
          await settled(page, id);
          assert.deepEqual(await during(page, 0), NOTHING, 'paused');
        }));

      test(`${id} stands on its reference picture for who asked for less motion`, () => {
        const { off, texels } = THRESHOLDS[id];
        const reference = PNG.sync.read(read(`www/img/figures/${id}.png`));
        return dense.visit(`${path}?${id}.size=${reference.width}x${reference.height}`, async (page) => {
          await tried(page);
          await show(page, id);
          await settled(page, id);
          assert.equal(await page.$eval(root, (figure) => figure.dataset.state), 'paused');
          const wrong = difference(await picture(page, id), reference, off);
          assert.ok(wrong <= texels[engine], `${wrong} texels are off`);
          assert.deepEqual(await during(page, 0), NOTHING);
        });
      });

      // Every figure is of the same runtime: one of them is enough on a coarse screen.
      for (const scale of id === figures.keys().next().value ? [1, 2] : [2]) {
        test(`${id} fills the pixels of the screen at ${scale}, whatever the window`, () =>
          (scale === 1 ? plain : dense).visit(`${path}?${id}.t=1`, async (page) => {
            await tried(page);
            const widths = [];
            for (const width of [1280, 500, 1280]) {
              await page.setViewport({ width, height: 800, deviceScaleFactor: 0 });
              await show(page, id);
              assert.ok(!isBlank(await picture(page, id)), `blank just after the window became ${width} wide`);
              await until(page, (canvas, before) => document.querySelector(canvas).width !== before, `${root} [data-slot=picture] canvas`, widths.at(-1));
              await settled(page, id);
              const { canvas, box, css } = await sizes(page, id);
              assert.deepEqual(canvas, box, `${width} wide`);
              assert.ok(Math.abs(css * scale - box[0]) <= scale, `${css} × ${scale} is ${box[0]}`);
              assert.deepEqual(await during(page, 0), NOTHING, 'it goes on growing');
              assert.ok(!isBlank(await picture(page, id)), `blank at ${width}`);
              widths.push(canvas[0]);
            }
            assert.equal(widths[0], widths[2]);
            assert.ok(widths[1] < widths[0], String(widths));
          }));
      }
    }
  });
}
