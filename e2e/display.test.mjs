// display: pages read in forced colours, with more contrast, at 200 % zoom and in letters twice as large

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { PNG } from 'pngjs';
import { difference, ENGINES, figures, isBlank, launch, pages, picture, settled, show, tried, violations } from './site.mjs';

const once = pages.filter(({ twice }) => !twice);
const english = once.filter(({ path }) => !path.includes('/'));

/** The channels, from 0 to 1, of a computed colour on white. */
function channels(colour) {
  const [r, g, b, a = 1] = colour.match(/[\d.]+/g).map(Number);
  return [r, g, b].map((channel) => (channel / 255) * a + 1 - a);
}

/** WCAG 2.2, relative luminance. */
function luminance(colour) {
  const [r, g, b] = channels(colour).map((c) => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4));
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

/** WCAG 2.2, contrast ratio. */
function contrast(a, b) {
  const [dark, light] = [luminance(a), luminance(b)].sort((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
}

/** Text that is cut off, or lies beside the window where nothing scrolls to it. */
const clipped = (page) =>
  page.evaluate(() => {
    const cut = [];
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (texts.nextNode()) {
      const { currentNode: text } = texts;
      const { parentElement } = text;
      if (!text.data.trim() || parentElement.closest('.vh, .skip, script') || !parentElement.checkVisibility({ visibilityProperty: true })) continue;
      const range = document.createRange();
      range.selectNodeContents(text);
      const { left, right, top, bottom } = range.getBoundingClientRect();
      // A letter's box may be taller than its line.
      const beyond = (box) => left < box.left - 1 || right > box.right + 1 || top < box.top - 4 || bottom > box.bottom + 4;
      let box = parentElement;
      for (; box; box = box.parentElement) {
        const { overflowX, overflowY, contain, display } = getComputedStyle(box);
        if ([overflowX, overflowY].some((overflow) => /auto|scroll/.test(overflow))) break;
        const cuts = overflowX !== 'visible' || /strict|content|paint/.test(contain);
        if (display !== 'inline' && cuts && beyond(box.getBoundingClientRect())) cut.push(`${text.data.trim()} in ${box.className}`);
      }
      if (!box && (left < 0 || right > innerWidth)) cut.push(`${text.data.trim()} at ${left} to ${right}`);
    }
    return cut;
  });

const colours = (page, selector, ...properties) =>
  page.$eval(
    selector,
    (element, properties) => {
      const style = getComputedStyle(element);
      return properties.map((property) => style[property]);
    },
    properties,
  );

for (const engine of ENGINES) {
  describe(engine, () => {
    // The dark theme, for its inks are lost on the white that both browsers force.
    describe('in forced colours', () => {
      let plain, forced;
      before(async () => {
        plain = await launch(engine, { still: true });
        forced = await launch(engine, { still: true, dark: true, contrast: 'forced' });
      });
      after(async () => {
        await plain.close();
        await forced.close();
      });

      for (const { path, figures } of english) {
        test(`${path} reads`, () =>
          forced.visit(path, async (page) => {
            await tried(page);
            assert.ok(await page.evaluate(() => matchMedia('(forced-colors: active)').matches));
            assert.deepEqual(await violations(page), []);
            const [paper] = await colours(page, 'body', 'backgroundColor');
            const marks = await page.$$eval('svg.m', (marks) =>
              marks
                .filter((mark) => mark.checkVisibility())
                .map((mark) => {
                  let ground = mark;
                  while (/^rgba.* 0\)$/.test(getComputedStyle(ground).backgroundColor)) ground = ground.parentElement;
                  return { mark: mark.firstElementChild.getAttribute('href'), fill: getComputedStyle(mark).fill, ground: getComputedStyle(ground).backgroundColor };
                }),
            );
            assert.ok(marks.length > 0);
            assert.deepEqual(marks.filter(({ fill, ground }) => contrast(fill, ground) < 7), []);

            // What waits for a prediction hides its controls.
            await page.$$eval('.ask', (asks) => asks.forEach((ask) => ask.querySelector('input').click()));
            for (const id of figures) {
              const root = `figure[data-figure="${id}"]`;
              for (const input of await page.$$(`${root} input[type=range]`)) {
                await input.scrollIntoView();
                // What comes on screen is laid out some frames later.
                await page.evaluate(() => window.watch.during(3));
                const slider = PNG.sync.read(Buffer.from(await input.screenshot()));
                assert.ok(!isBlank(slider), `a slider of ${id} is not seen`);
              }
            }
            for (const tab of await page.$$('.tabs label:has(:checked)')) {
              const line = await tab.evaluate((tab) => getComputedStyle(tab).borderBottomColor);
              assert.ok(contrast(line, paper) >= 7, `an open tab has a line in ${line}`);
            }
            for (const group of await page.$$('.seg')) {
              const [ink, chosen, other] = await group.evaluate((group) => {
                const { color, backgroundColor } = getComputedStyle(group.querySelector('label:has(:checked)'));
                return [color, backgroundColor, getComputedStyle(group.querySelector('label:not(:has(:checked))')).backgroundColor];
              });
              assert.ok(contrast(ink, chosen) >= 7, `what is chosen is ${ink} on ${chosen}`);
              assert.ok(contrast(chosen, other) >= 7, `${chosen} is chosen, ${other} is not`);
            }
          }));

        test(`${path} shows the focus`, () =>
          forced.visit(path, async (page) => {
            await tried(page);
            const [paper] = await colours(page, 'body', 'backgroundColor');
            const seen = new Set();
            for (;;) {
              await page.keyboard.press('Tab');
              const { key, style, width, colour } = await page.evaluate(() => {
                const { activeElement: focused } = document;
                // A choice shows the focus of the radio button that lies unseen on it.
                const shows = getComputedStyle(focused).opacity === '0' ? focused.closest('label') : focused;
                const { outlineStyle, outlineWidth, outlineColor } = getComputedStyle(shows);
                const all = [...document.querySelectorAll('body, body *')];
                return { key: all.indexOf(focused), style: outlineStyle, width: parseFloat(outlineWidth), colour: outlineColor };
              });
              // After the last stop the browser's own controls come, or the first again.
              if (key === 0 || seen.has(key)) break;
              seen.add(key);
              assert.ok(style !== 'none' && width >= 2 && contrast(colour, paper) >= 3, `${key}: ${width} px ${style} ${colour}`);
            }
            assert.ok(seen.size > 10, `${seen.size} stops`);
          }));
      }

      // The style sheet knows no figure by name, so one stands for all.
      const [[id, path]] = figures;
      test(`${id} keeps its picture`, async () => {
        const shown = [];
        for (const site of [plain, forced]) {
          await site.visit(`${path}?${id}.t=1&${id}.size=320x180`, async (page) => {
            await tried(page);
            await show(page, id);
            await settled(page, id);
            shown.push(await picture(page, id));
          });
        }
        assert.ok(!isBlank(shown[0]));
        assert.equal(difference(...shown), 0);
      });
    });

    describe('with more contrast', () => {
      for (const dark of [false, true]) {
        const theme = dark ? 'dark' : 'light';
        let site;
        before(async () => (site = await launch(engine, { contrast: 'more', dark })));
        after(() => site.close());
        for (const { path } of english) {
          test(`${path} is 7 to 1, ${theme}`, () =>
            site.visit(path, async (page) => {
              await tried(page);
              assert.ok(await page.evaluate(() => matchMedia('(prefers-contrast: more)').matches));
              // The enhanced rule leaves what is below 4.5 to the other.
              assert.deepEqual(await violations(page, ['color-contrast', 'color-contrast-enhanced']), []);
            }));
        }
      }
    });

    const LARGE = {
      // What a window of 1280 × 900 then shows.
      'at 200 % zoom': { wants: { scale: 2 }, times: 2, widths: [640], height: 450 },
      'at 400 % zoom': { wants: { scale: 4 }, times: 4, widths: [320], height: 225 },
      'in letters twice as large': { wants: { letters: 32 }, times: 2, widths: [1280, 640], height: 900 },
    };
    for (const [how, { wants, times, widths, height }] of Object.entries(LARGE)) {
      describe(how, () => {
        let site;
        before(async () => (site = await launch(engine, { still: true, ...wants })));
        after(() => site.close());
        for (const { path } of once) {
          test(`${path} fits, with all of its text`, () =>
            site.visit(
              path,
              async (page) => {
                await tried(page);
                await page.$$eval('details', (all) => all.forEach((details) => (details.open = true)));
                for (const width of widths) {
                  await page.setViewport({ width, height, deviceScaleFactor: 0 });
                  const [letters, ratio, content, window] = await page.evaluate(() => [
                    parseFloat(getComputedStyle(document.documentElement).fontSize),
                    devicePixelRatio,
                    document.scrollingElement.scrollWidth,
                    innerWidth,
                  ]);
                  assert.deepEqual([(letters / 16) * ratio, window], [times, width]);
                  assert.ok(content <= width, `${content} of ${width} wide`);
                  assert.deepEqual(await clipped(page), [], `${width} wide`);
                }
              },
              { width: widths[0], height },
            ));
        }
      });
    }
  });
}
