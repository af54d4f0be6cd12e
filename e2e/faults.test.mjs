// faults: what is missing or breaks is said in one sentence, and leaves a page that reads

import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { ENGINES, figures, launch, pages, read, tried, until } from './site.mjs';

const PAGE = pages.find(({ figures, claims }) => figures.length && claims.length).path;

/** The folder for screenshots of what the reader sees, if they are wanted. */
const { SHOTS } = process.env;

/** What the page says, and what is left of it. */
const state = (page) =>
  page.evaluate(() => ({
    gpu: document.documentElement.dataset.gpu,
    sentence: document.querySelector('[data-slot=said] [data-slot=sentence]').textContent,
    message: document.querySelector('[data-slot=said] [data-slot=message]').textContent,
    isSaid: document.querySelector('[data-slot=said]').checkVisibility(),
    posters: [...document.querySelectorAll('figure[data-figure] img')].every((img) => img.complete && img.naturalWidth > 0 && img.checkVisibility()),
    figures: [...document.querySelectorAll('figure[data-figure]')].map(({ dataset }) => dataset.state),
    recorded: [...document.querySelectorAll('.else li')].filter((verdict) => verdict.checkVisibility()).length,
    trying: [...document.querySelectorAll('[data-claim]:is([data-verdict=pending], [data-verdict=unavailable]) :is(.v, .tries)')].filter(
      (verdict) => verdict.checkVisibility(),
    ).length,
    running: [...document.querySelectorAll('[data-state=running] .state')].filter((state) => state.checkVisibility()).length,
    buttons: [...document.querySelectorAll('.transport button')].filter((button) => button.checkVisibility()).length,
    prose: document.querySelector('main').innerText.length,
  }));

const words = (page) => page.$eval('#words', ({ textContent }) => JSON.parse(textContent));

/** Nothing runs, and the page says why. */
async function reads(page, gpu) {
  await until(page, (gpu) => document.documentElement.dataset.gpu === gpu, gpu);
  const now = await state(page);
  assert.equal(now.sentence, (await words(page))[`gpu.${gpu}`]);
  assert.ok(now.isSaid, 'the sentence is seen');
  assert.ok(now.posters, 'each figure is a picture');
  assert.ok(now.recorded > 0, 'recorded verdicts are there');
  assert.equal(now.trying, 0, 'no verdict of this browser is due');
  assert.equal(now.running, 0, 'no figure says that it runs');
  assert.equal(now.buttons, 0, 'no button that does nothing');
  assert.ok(now.prose > 1000, 'the prose is there');
  return now;
}

/** Rows without WebGPU or a device: what runs in the page before its scripts. */
const WITHOUT = {
  'no-webgpu': () => Object.defineProperty(Navigator.prototype, 'gpu', { get: () => undefined }),
  'no-adapter': () => {
    GPU.prototype.requestAdapter = async () => null;
  },
  'no-device': () => {
    GPUAdapter.prototype.requestDevice = async () => {
      throw new DOMException('not today', 'OperationError');
    };
  },
};

for (const engine of ENGINES) {
  describe(engine, () => {
    let site;
    /** How requests for the wasm are answered; none, as they should be. */
    let wasm;
    before(async () => {
      site = await launch(engine, {
        answer: (path, response) => path.endsWith('.wasm') && wasm?.(read(`dist/${path}`), response),
      });
    });
    after(() => site.close());

    /** Keeps a screenshot of the whole page, named by the fault. */
    const shoot = (page, fault) =>
      SHOTS && page.screenshot({ path: join(SHOTS, `${fault}-${engine}.png`), fullPage: true });

    for (const [gpu, before] of Object.entries(WITHOUT)) {
      test(`${gpu} leaves pictures, prose and recorded verdicts`, () =>
        site.visit(
          PAGE,
          async (page) => {
            const now = await reads(page, gpu);
            assert.deepEqual(new Set(now.figures), new Set(['unavailable']));
            assert.equal(now.message, gpu === 'no-device' ? 'not today' : '');
            const verdicts = await page.$$eval('[data-claim]', (claims) => claims.map(({ dataset }) => dataset.verdict));
            assert.deepEqual(new Set(verdicts), new Set(['unavailable']));
            await shoot(page, gpu);
          },
          { before },
        ));
    }

    test('a missing feature is named, and leaves the recorded verdicts', () =>
      site.visit(PAGE, async (page) => {
        await tried(page);
        const unavailable = await page.evaluate(async () => {
          const { features } = await navigator.gpu.requestAdapter();
          return [...document.querySelectorAll('[data-claim][data-verdict=unavailable]')].map((claim) => {
            const missing = claim.querySelector('[data-slot=missing]');
            const feature = missing.querySelector('code').textContent;
            return {
              claim: claim.dataset.claim,
              isNamed: missing.checkVisibility() && feature !== '',
              isMissing: !features.has(feature),
              recorded: claim.querySelectorAll('.else li').length > 0,
            };
          });
        });
        assert.ok(unavailable.length > 0, 'no claim of the page needs a feature that is missing here');
        for (const { claim, ...is } of unavailable) assert.deepEqual(is, { isNamed: true, isMissing: true, recorded: true }, claim);
        await page.$eval('[data-verdict=unavailable]', (claim) => claim.scrollIntoView());
        await shoot(page, 'missing-feature');
      }));

    /** A page whose wasm is answered like this, in a browser that has kept nothing. */
    async function opens(answer) {
      wasm = answer;
      const page = await site.open(PAGE, { context: await site.browser.createBrowserContext() });
      wasm = undefined;
      return page;
    }

    const SPOILT = {
      missing: (_, response) => response.writeHead(404).end() && true,
      truncated: (bytes, response) =>
        response.writeHead(200, { 'Content-Type': 'application/wasm' }).end(bytes.subarray(0, 5000)) && true,
    };
    for (const [how, answer] of Object.entries(SPOILT)) {
      test(`wasm that is ${how} is said`, async () => {
        const page = await opens(answer);
        const now = await reads(page, 'failed');
        assert.notEqual(now.message, '');
        await shoot(page, `wasm-${how}`);
        await page.close();
      });
    }

    test('wasm of the wrong type runs', async () => {
      const page = await opens(
        (bytes, response) => response.writeHead(200, { 'Content-Type': 'text/plain' }).end(bytes) && true,
      );
      assert.equal((await state(page)).gpu, 'ready');
      await shoot(page, 'wasm-of-the-wrong-type');
      await page.close();
    });

    test('a panic is said', async () => {
      const page = await site.open(PAGE, {
        before: () => {
          // wgpu does not expect the browser to throw here.
          GPUDevice.prototype.createCommandEncoder = () => {
            throw new TypeError('no encoder');
          };
        },
      });
      await reads(page, 'failed');
      await shoot(page, 'panic');
      await page.close();
    });

    test('an error that no scope caught is shown, and the figure runs on', async () => {
      const page = await site.open(PAGE, {
        before: () => {
          const { requestDevice } = GPUAdapter.prototype;
          GPUAdapter.prototype.requestDevice = async function (...descriptor) {
            window.device = await requestDevice.apply(this, descriptor);
            GPUAdapter.prototype.requestDevice = requestDevice;
            return window.device;
          };
        },
      });
      await until(page, () => document.querySelector('figure').dataset.frame > 0);
      await page.evaluate(() => {
        const error = new GPUInternalError('the driver gave up');
        window.device.dispatchEvent(new GPUUncapturedErrorEvent('uncapturederror', { error, cancelable: true }));
      });
      await until(page, () => document.querySelector('[data-slot=message]').textContent === 'the driver gave up');
      const now = await state(page);
      assert.deepEqual([now.gpu, now.isSaid, now.sentence], ['ready', true, (await words(page))['gpu.uncaptured']]);
      const frame = await page.$eval('figure', ({ dataset }) => Number(dataset.frame));
      await until(page, (frame) => document.querySelector('figure').dataset.frame > frame + 2, frame);
      await shoot(page, 'uncaptured');
      await page.close();
    });

    test('twenty lost devices in a row are survived', async () => {
      const page = await site.open(`${figures.get('plasma')}?plasma.zoom=4`);
      await page.evaluate(() => {
        window.went = [];
        new MutationObserver(() => window.went.push(document.documentElement.dataset.gpu)).observe(
          document.documentElement,
          { attributeFilter: ['data-gpu'] },
        );
      });
      // Those that wait for a prediction stand still.
      const before = await state(page);
      assert.equal(before.figures[0], 'running');
      for (let lost = 1; lost <= 20; lost += 1) {
        const frame = await page.$eval('figure', ({ dataset }) => Number(dataset.frame));
        await page.$eval('[data-act=lose]', (button) => button.click());
        await until(
          page,
          (lost, frame) =>
            window.went.filter((gpu) => gpu === 'lost').length === lost &&
            document.documentElement.dataset.gpu === 'ready' &&
            document.querySelector('figure').dataset.frame > frame + 1,
          lost,
          frame,
        );
      }
      const now = await state(page);
      assert.deepEqual(now.figures, before.figures);
      assert.equal(now.sentence, (await words(page))['gpu.lost']);
      assert.equal(await page.$eval('[name="plasma.zoom"]', ({ value }) => value), '4');
      await shoot(page, 'lost');
      await page.close();
    });

    test('a device that keeps being lost is given up', async () => {
      const page = await site.open(PAGE, {
        before: () => {
          const { requestDevice } = GPUAdapter.prototype;
          window.opened = 0;
          GPUAdapter.prototype.requestDevice = async function (...descriptor) {
            const device = await requestDevice.apply(this, descriptor);
            if (descriptor[0]?.label === 'page') {
              window.opened += 1;
              device.destroy();
            }
            return device;
          };
        },
      });
      const gaveUp = (await words(page))['gpu.gave-up'];
      await until(page, (gaveUp) => document.querySelector('[data-slot=sentence]').textContent === gaveUp, gaveUp);
      assert.deepEqual([(await state(page)).gpu, await page.evaluate(() => window.opened)], ['lost', 3]);
      await shoot(page, 'given-up');
      await page.close();
    });
  });
}
