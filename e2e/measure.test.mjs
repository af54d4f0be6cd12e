// measure: ways are timed against each other by keyboard, nothing is drawn meanwhile, and what prevents it is said

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import axe from 'axe-core';
import { ENGINES, launch, measure, pictures, read, show, timed, until } from './site.mjs';


test('some figures time their ways', () => assert.ok(timed.length > 0));

/** In the page, before its scripts: notes each state of measuring, and the pictures drawn by then. */
function note() {
  window.states = [];
  addEventListener('DOMContentLoaded', () => {
    const observer = new MutationObserver((changes) => {
      for (const { target } of changes) {
        const drawn = Object.values(window.watch.drawn).reduce((sum, count) => sum + count, 0);
        window.states.push({ state: target.dataset.measure, drawn });
      }
    });
    observer.observe(document.body, { subtree: true, attributeFilter: ['data-measure'] });
  });
}

/** In the page: the device has no timestamps. */
function untimed() {
  const { has } = GPUSupportedFeatures.prototype;
  GPUSupportedFeatures.prototype.has = function (name) {
    return name !== 'timestamp-query' && has.call(this, name);
  };
}

/** In the page: the clock moves in steps of a fifth of a second. */
function coarse() {
  const { now } = Performance.prototype;
  Performance.prototype.now = function () {
    return Math.floor(now.call(this) / 200) * 200;
  };
}

for (const engine of ENGINES) {
  describe(engine, () => {
    let site;
    before(async () => (site = await launch(engine)));
    after(() => site.close());

    for (const [id, path] of timed) {
      const figure = `figure[data-figure="${id}"]`;
      /** Opens the page with those functions run before its scripts, looks, and fails on any fault. */
      const visit = (prepare, look) =>
        site.visit(path, async (page) => {
          for (const it of [note, ...prepare]) await page.evaluateOnNewDocument(it);
          await page.reload();
          await show(page, id);
          await pictures(page, id, 2);
          await look(page);
        });
      const button = (page) => page.$(`${figure} [data-act=measure]`);
      const ended = (page) => until(page, (figure) => !/^(measuring|undefined)$/.test(document.querySelector(figure).dataset.measure), figure);
      const states = (page) => page.evaluate(() => window.states.map(({ state }) => state));

      test(`${id} is measured by keyboard, and pressed twice it is measured once`, () =>
        visit([], async (page) => {
          await (await button(page)).press('Enter');
          await (await button(page)).press(' ');
          await ended(page);
          assert.deepEqual(await states(page), ['measuring', 'measured']);
          const [begin, end] = await page.evaluate(() => window.states.map(({ drawn }) => drawn));
          assert.equal(end, begin, 'pictures were drawn meanwhile');
          const { values, best, says } = await measure(page, id);
          assert.ok(Object.keys(values).length > 1);
          assert.ok(Object.values(values).every((value) => value > 0), JSON.stringify(values));
          const most = Math.max(...Object.values(values));
          assert.ok(best.length > 0 && best.every((way) => values[way] === most));
          assert.match(says, /\d/);
          // Figures go on.
          await pictures(page, id, 2);
          await page.evaluate(axe.source);
          const faults = await page.evaluate(async (figure) => {
            const { violations } = await window.axe.run(figure, { resultTypes: ['violations'], preload: false });
            return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target)}`);
          }, figure);
          assert.deepEqual(faults, []);
        }));

      test(`${id} is measured once a prediction is made, and answers it`, async (t) => {
        if (!read(`dist/${path}`).includes(`name="${id}-predict"`)) return t.skip('it asks nothing');
        await visit([], async (page) => {
          const rows = () => page.$eval(`${figure} .bars`, (table) => table.checkVisibility());
          assert.equal(await rows(), false, 'the table tells before');
          await (await page.$(`${figure} .ask input`)).press(' ');
          await ended(page);
          assert.deepEqual(await states(page), ['measuring', 'measured']);
          assert.equal(await rows(), true);
          const { best } = await measure(page, id);
          const told = await page.$eval(`${figure} .ans`, (answer) => answer.checkVisibility() && answer.querySelector('[data-slot=best]').textContent);
          const names = await page.$$eval(`${figure} [data-way]`, (rows) =>
            Object.fromEntries(rows.map((row) => [row.dataset.way, row.querySelector('[data-slot=name]').textContent])),
          );
          assert.ok(best.some((way) => names[way] === told), `${told}, ${best}`);
        });
      });

      test(`${id} is measured without timestamps`, () =>
        visit([untimed], async (page) => {
          await (await button(page)).press('Enter');
          await ended(page);
          // Firefox 153 looks every 100 ms whether work is done; on a busy machine Chromium too may be late.
          const ends = { chromium: ['measured', 'coarse'], firefox: ['coarse'] }[engine];
          const [begin, end, ...more] = await states(page);
          assert.deepEqual([begin, more], ['measuring', []]);
          assert.ok(ends.includes(end), end);
          const { says, values } = await measure(page, id);
          assert.equal(Object.keys(values).length > 0, end === 'measured');
          assert.equal(/onSubmittedWorkDone/.test(says), end === 'measured', says);
        }));

      test(`${id} says that a clock is too coarse`, () =>
        visit([untimed, coarse], async (page) => {
          await (await button(page)).press('Enter');
          await ended(page);
          assert.deepEqual(await states(page), ['measuring', 'coarse']);
          assert.deepEqual((await measure(page, id)).values, {});
        }));

      test(`${id} says that the device was lost, and is measured on the next`, () =>
        visit([], async (page) => {
          await (await button(page)).press('Enter');
          await page.$eval('[data-act=lose]', (button) => button.click());
          await ended(page);
          assert.deepEqual(await states(page), ['measuring', 'lost']);
          assert.deepEqual((await measure(page, id)).values, {});
          await pictures(page, id, 2);
          await (await button(page)).press('Enter');
          await until(page, () => window.states.length === 4);
          assert.deepEqual((await states(page)).slice(2), ['measuring', 'measured']);
        }));
    }
  });
}
