// figures: each draws its reference picture and its twin's, obeys controls, clock and arrow keys, and an address gives its picture back

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { PNG } from 'pngjs';
import { difference, ENGINES, figures, files, isBlank, launch, pages, picture, pictures, read, settled, show, until } from './site.mjs';

/** By figure: how many texels may be off by more than that part of the way from black to white, since drivers differ. */
const THRESHOLDS = read('e2e/thresholds.json');

test('there are figures, and a threshold for each', () => {
  assert.ok(figures.size > 0);
  assert.deepEqual([...figures.keys()].sort(), Object.keys(THRESHOLDS).sort());
});

for (const engine of ENGINES) {
  describe(engine, () => {
    let site;
    before(async () => (site = await launch(engine)));
    after(() => site.close());

    for (const [id, path] of figures) {
      const { off, texels } = THRESHOLDS[id] ?? {};
      const reference = PNG.sync.read(read(`www/img/figures/${id}.png`));
      /** Paused at its reference picture; the names of its controls; each option of those that offer a choice. */
      let still, controls, options, inspected;
      const figure = `figure[data-figure="${id}"]`;
      const text = (page, slot) => page.$eval(`${figure} [data-slot=${slot}]`, ({ textContent }) => textContent);
      const press = async (page, act, key = 'Enter') => (await page.$(`${figure} [data-act=${act}]`)).press(key);
      const state = (page, state) => until(page, (figure, state) => document.querySelector(figure).dataset.state === state, figure, state);
      /** The picture at an address. */
      const at = async (address) => {
        let drawn;
        await site.visit(address, async (page) => {
          await show(page, id);
          await (address.includes('twin=') ? pictures(page, id) : settled(page, id));
          drawn = await picture(page, id);
        });
        return drawn;
      };

      test(`${id} says what it can do`, () =>
        site.visit(path, async (page) => {
          await show(page, id);
          await pictures(page, id);
          const seconds = await page.$eval(figure, ({ dataset }) => Number(dataset.poster));
          const inputs = await page.$$eval(`${figure} [data-slot=controls] input`, (inputs) =>
            inputs.filter(({ disabled }) => !disabled).map(({ name, value, type }) => ({ name, value, type })),
          );
          const several = ({ name, type }) => type === 'range' || inputs.filter((input) => input.name === name).length > 1;
          still = `?${id}.t=${seconds}&${id}.size=${reference.width}x${reference.height}`;
          controls = [...new Set(inputs.filter(several).map(({ name }) => name))];
          options = inputs.filter(({ type }) => type === 'radio').map(({ name, value }) => `&${name}=${value}`);
          inspected = await page.$eval(`${figure} [data-slot=inspect]`, ({ hidden }) => !hidden);
          assert.ok(seconds > 0);
          assert.ok(controls.every((name) => name.startsWith(`${id}.`)), controls.join());
        }));

      for (const page of pages.filter(({ twice, figures }) => !twice && figures.includes(id))) {
        test(`${id} on ${page.path} is its reference picture`, async () => {
          const drawn = await at(page.path + still);
          const wrong = difference(drawn, reference, off);
          assert.ok(wrong <= texels[engine], `${wrong} texels are off`);
        });
      }

      test(`${id} moves by each control, and the address keeps it`, () =>
        site.visit(path + still, async (page) => {
          const look = async () => {
            await show(page, id);
            await settled(page, id);
            return { drawn: await picture(page, id), says: await text(page, 'describe') };
          };
          let before = await look();
          for (const name of controls) {
            const input = await page.$(`${figure} input[name="${name}"]:is(:checked, [type=range])`);
            await input.press('ArrowRight');
            await until(page, (name) => new URLSearchParams(location.search).has(name), name);
            const moved = await look();
            // Speed does not show while it stands.
            if (name !== `${id}.speed`) {
              assert.notEqual(difference(moved.drawn, before.drawn), 0, `${name} changes no texel`);
              assert.notEqual(moved.says, before.says, `${name} changes no word`);
            }
            before = moved;
            // What races is not drawn twice the same.
            const racing = await page.$(`${figure} input[name="${name}"][data-races]:checked`);
            if (racing) {
              await racing.press('ArrowLeft');
              await until(page, (name) => !new URLSearchParams(location.search).has(name), name);
              before = await look();
            }
          }
          const address = page.url();
          await page.goto(address);
          const again = await look();
          assert.equal(difference(again.drawn, before.drawn), 0, `${address} gives another picture`);
          assert.equal(again.says, before.says, `${address} says something else`);
          assert.equal(page.url(), address);
        }));

      test(`${id} waits for a prediction, if it asks for one`, (t) =>
        site.visit(path, async (page) => {
          await show(page, id);
          await pictures(page, id);
          const option = await page.$(`${figure} > .ask input`);
          if (!option) return t.skip('it asks for none');
          const shown = () => page.$$eval(`${figure} :is(.veil, .ans)`, (parts) => parts.filter((part) => part.checkVisibility()).map(({ className }) => className));
          await state(page, 'paused');
          assert.deepEqual(await shown(), ['veil']);
          await option.press(' ');
          await until(page, (figure) => document.querySelector(figure).matches('[data-predicted]'), figure);
          assert.deepEqual(await shown(), ['ans']);
          await pictures(page, id, 1);
        }));

      if (files.some((path) => path.endsWith(`twins/${id}.js`))) {
        test(`${id} is its JavaScript twin, texel for texel`, async () => {
          for (const option of options.length > 0 ? options : ['']) {
            const address = path + still + option;
            const [live, twin] = [await at(address), await at(`${address}&twin=${id}`)];
            assert.equal(difference(live, twin), 0, address);
            assert.ok(!isBlank(twin));
          }
        });
      }

      test(`${id} plays, pauses, steps and starts again by keyboard`, () =>
        site.visit(path + still, async (page) => {
          await show(page, id);
          const first = await settled(page, id);
          await state(page, 'paused');
          const stood = await picture(page, id);

          await press(page, 'play', ' ');
          await state(page, 'running');
          await pictures(page, id, 5);
          await press(page, 'play');
          await state(page, 'paused');
          const played = await settled(page, id);
          assert.ok(played >= first + 5);
          const later = await picture(page, id);
          assert.notEqual(difference(later, stood), 0);

          await press(page, 'step');
          assert.equal(await settled(page, id), played + 1);
          const stepped = await picture(page, id);
          assert.notEqual(difference(stepped, later), 0);

          await press(page, 'restart');
          assert.equal(await settled(page, id), played + 2);
          const restarted = await picture(page, id);
          assert.equal(difference(restarted, await at(path + still.replace(/t=[^&]*/, 't=0'))), 0);

          await press(page, 'save');
          const [{ name, href }] = await page.evaluate(() => window.watch.saved);
          assert.match(name, new RegExp(`^${id}-.*\\.png$`));
          assert.equal(difference(PNG.sync.read(Buffer.from(href.split(',')[1], 'base64')), restarted), 0);
        }));

      test(`${id} tells the texel that the arrow keys choose`, (t) => {
        if (!inspected) return t.skip('no texture to inspect');
        return site.visit(path + still, async (page) => {
          await show(page, id);
          await settled(page, id);
          const canvas = await page.$(`${figure} [data-slot=picture] canvas`);
          const texel = async () => (await text(page, 'texel')).match(/\d+/g).map(Number);
          const move = async (key) => {
            const before = await text(page, 'texel');
            await canvas.press(key);
            await until(page, (slot, before) => document.querySelector(slot).textContent !== before, `${figure} [data-slot=texel]`, before);
            return texel();
          };
          const [x, y] = await texel();
          assert.deepEqual(await move('ArrowRight'), [x + 1, y]);
          assert.deepEqual(await move('ArrowDown'), [x + 1, y + 1]);
          assert.deepEqual(await move('ArrowLeft'), [x, y + 1]);
          assert.deepEqual(await move('ArrowUp'), [x, y]);
          await until(page, (slot) => /^[0-9A-F]{2}( [0-9A-F]{2})*$/.test(document.querySelector(slot).textContent), `${figure} [data-slot=bytes]`);
        });
      });
    }

    test('the brush of edge follows the pointer that drags it', () =>
      site.visit(`${figures.get('edge')}?edge.t=1`, async (page) => {
        await show(page, 'edge');
        await settled(page, 'edge');
        const before = await picture(page, 'edge');
        const canvas = await page.$('figure[data-figure=edge] canvas[tabindex]');
        const { x, y, width, height } = await canvas.boundingBox();
        const to = (right, down) => page.mouse.move(x + width * right, y + height * down);
        await to(0.5, 0.5);
        assert.ok(!page.url().includes('edge.x'), 'pointing alone moves nothing');
        await page.mouse.down();
        await to(0.6, 0.4);
        await to(0.75, 0.25);
        // Browsers refuse an address that changes at every move.
        assert.ok(!page.url().includes('edge.x'), 'the address waits for the end');
        await page.mouse.up();
        await until(page, () => new URLSearchParams(location.search).get('edge.x') === '16');
        assert.equal(new URL(page.url()).searchParams.get('edge.y'), '-9');
        await settled(page, 'edge');
        assert.notEqual(difference(await picture(page, 'edge'), before), 0);
      }));
  });
}
