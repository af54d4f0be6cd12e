// site: serves dist/ under a sub-path and opens its pages in a real browser, noting everything that goes wrong

import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { fileURLToPath } from 'node:url';
import axe from 'axe-core';
import pixelmatch from 'pixelmatch';
import { PNG } from 'pngjs';
import puppeteer from 'puppeteer-core';
import sirv from 'sirv';

const ROOT = new URL('../', import.meta.url);
/** Any path will do: the site has only relative links. */
const UNDER = '/some/where/';

export const ENGINES = ['chromium', 'firefox'];

/** Where a file of the project is. */
export const file = (path) => new URL(path, ROOT);

/** A file of the project; JSON comes parsed. */
export function read(path) {
  const bytes = readFileSync(file(path));
  return path.endsWith('.json') ? JSON.parse(bytes) : bytes;
}

const DIST = file('dist/');
/** Every file of dist/. */
export const files = readdirSync(DIST, { recursive: true }).map((path) => path.replaceAll('\\', '/'));

const rank = (path) => 2 * path.includes('/') + path.endsWith('index.html');

/** Every page of every language, with the figures and claims on it; one that stands at a second address is `twice` there. */
export const pages = (() => {
  const seen = new Set();
  return files
    .filter((path) => path.endsWith('.html') && path !== '404.html')
    // English, which is in no folder, before the others; an index may be the first page again.
    .sort((a, b) => rank(a) - rank(b))
    .map((path) => {
      const html = readFileSync(new URL(path, DIST), 'utf8');
      const twice = seen.has(html);
      seen.add(html);
      const ids = (attribute) => [...html.matchAll(new RegExp(`<[^>]* ${attribute}="([^"]*)"`, 'g'))].map(([, id]) => id);
      return { path, twice, figures: ids('data-figure'), claims: ids('data-claim') };
    });
})();

/** Each figure once, with the first page that has it. */
export const figures = new Map(
  pages.toReversed().flatMap(({ path, figures }) => figures.map((id) => [id, path])),
);

/** Those of them that time their ways. */
export const timed = [...figures].filter(([id, path]) => {
  const [, html] = read(`dist/${path}`).toString().split(`data-figure="${id}"`);
  return html.split('</figure>')[0].includes('data-act="measure"');
});

/** By engine, what it prints on purpose: `<claim>: <pattern>`. */
export const expectations = Object.fromEntries(
  Object.entries(read('e2e/console.json')).map(([engine, { '*': always = [], ...claims }]) => [
    engine,
    Object.entries(claims).flatMap(([claim, own]) => [...always, ...own].map((pattern) => ({ claim, pattern }))),
  ]),
);

/** Which of them a message meets. A message that names a claim's object is of that claim. */
function expectation(engine, text) {
  const [, named] = /claim\/([^/]+)\//.exec(text) ?? [];
  const met = expectations[engine].find(
    ({ claim, pattern }) => (named ?? claim) === claim && new RegExp(pattern).test(text),
  );
  return met && `${met.claim}: ${met.pattern}`;
}

/** Flags and preferences under which the browsers run WebGPU on a software GPU, set as their reader wants them. */
const LAUNCH = {
  chromium: ({ scale, dark, still, contrast, letters, scripts }) => ({
    executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
    args: [
      '--headless=new',
      '--no-sandbox',
      '--enable-unsafe-webgpu',
      // SwiftShader for both, or canvases are blank in screenshots.
      '--enable-features=Vulkan',
      '--use-vulkan=swiftshader',
      '--use-angle=swiftshader',
      // Else experimental WGSL is unlocked, and the claims are tried in a browser that nobody has.
      '--disable-dawn-features=allow_unsafe_apis',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      `--force-device-scale-factor=${scale}`,
      `--blink-settings=${[
        `preferredColorScheme=${dark ? 0 : 1}`,
        `preferredContrast=${contrast === 'more' ? 0 : 3}`,
        `defaultFontSize=${letters}`,
        `scriptEnabled=${scripts}`,
      ]}`,
      ...(contrast === 'forced' ? ['--force-high-contrast'] : []),
      ...(still ? ['--force-prefers-reduced-motion'] : []),
    ],
  }),
  firefox: ({ scale, dark, still, contrast, letters, scripts }) => ({
    browser: 'firefox',
    executablePath: process.env.FIREFOX ?? '/usr/bin/firefox-esr',
    extraPrefsFirefox: {
      'dom.webgpu.enabled': true,
      'gfx.webgpu.ignore-blocklist': true,
      'layout.css.devPixelsPerPx': `${scale}.0`,
      'layout.css.prefers-color-scheme.content-override': dark ? 0 : 1,
      'ui.prefersReducedMotion': still ? 1 : 0,
      // A theme of high contrast; whether it replaces the page's colours is the other preference.
      'ui.useAccessibilityTheme': contrast ? 1 : 0,
      'browser.display.document_color_use': contrast === 'forced' ? 2 : 1,
      'font.size.variable.x-western': letters,
      'font.size.variable.zh-CN': letters,
      'javascript.enabled': scripts,
    },
  }),
};

/**
 * Serves dist/ with those headers on everything; `change(url, html)` may give a page another text, and `answer(path,
 * response)` may answer a request in its own way, and then gives true.
 */
export async function serve({ change, answer, headers = {} } = {}) {
  const assets = sirv(fileURLToPath(DIST), { dev: true });
  const server = createServer((request, response) => {
    const url = new URL(request.url, 'http://localhost');
    if (!url.pathname.startsWith(UNDER)) return response.writeHead(404).end();
    for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
    const path = url.pathname.slice(UNDER.length);
    if (answer?.(path, response)) return undefined;
    if (change && files.includes(path) && path.endsWith('.html')) {
      response.writeHead(200, { 'Content-Type': 'text/html;charset=utf-8', 'Cache-Control': 'no-store' });
      return response.end(change(url, read(`dist/${path}`).toString()));
    }
    request.url = `/${path}${url.search}`;
    assets(request, response);
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { server, base: `http://127.0.0.1:${server.address().port}${UNDER}` };
}

/** Runs in every page before its scripts: notes what the page asks of display, GPU and policy. */
function watch() {
  const raf = requestAnimationFrame.bind(window);
  const noted = { asked: 0, called: 0, submits: 0, drawn: {}, modules: [], violations: [], saved: [], blobs: {} };
  window.watch = noted;
  window.requestAnimationFrame = (callback) => {
    noted.asked += 1;
    return raf((now) => {
      noted.called += 1;
      callback(now);
    });
  };
  if (window.GPUQueue) {
    const { createShaderModule } = GPUDevice.prototype;
    GPUDevice.prototype.createShaderModule = function (descriptor) {
      noted.modules.push(descriptor.label);
      return createShaderModule.call(this, descriptor);
    };
    const { submit } = GPUQueue.prototype;
    GPUQueue.prototype.submit = function (buffers) {
      noted.submits += 1;
      // Pictures come in a command buffer labelled `<figure>/frame`.
      for (const { label } of buffers) {
        const [figure, what] = label.split('/');
        if (what === 'frame') noted.drawn[figure] = (noted.drawn[figure] ?? 0) + 1;
      }
      return submit.call(this, buffers);
    };
  }
  // Files are noted, not written.
  const { click } = HTMLAnchorElement.prototype;
  HTMLAnchorElement.prototype.click = function () {
    if (this.download) noted.saved.push({ name: this.download, href: this.href });
    else click.call(this);
  };
  const { createObjectURL } = URL;
  URL.createObjectURL = (blob) => {
    const url = createObjectURL.call(URL, blob);
    noted.blobs[url] = blob;
    return url;
  };
  addEventListener('securitypolicyviolation', (event) => noted.violations.push(event.effectiveDirective));
  /** What is asked for while the display shows `frames` frames. */
  noted.during = async (frames) => {
    const before = [noted.asked, noted.submits];
    for (; frames > 0; frames -= 1) await new Promise(raf);
    return { frames: noted.asked - before[0], submits: noted.submits - before[1] };
  };
}

/**
 * A server and one browser, set as its reader wants it: device pixels a CSS pixel (`scale`), the dark theme, less motion
 * (`still`), `more` contrast or `forced` colours, letters of that many CSS pixels where a page leaves their size alone.
 */
export async function launch(engine, { change, answer, headers, ...wants } = {}) {
  const { server, base } = await serve({ change, answer, headers });
  const settings = { scale: 1, dark: false, still: false, contrast: undefined, letters: 16, scripts: true, ...wants };
  const browser = await puppeteer.launch({ headless: true, ...LAUNCH[engine](settings) });
  const version = await browser.version();

  /** Opens an address of the site. `before` runs in the page before its scripts. */
  async function open(address, { width = 1280, height = 900, before = watch, context = browser } = {}) {
    const page = await context.newPage();
    page.setDefaultTimeout(20_000);
    page.faults = [];
    page.expected = new Set();
    const fault = (...words) => page.faults.push(words.join(' ').trim());
    page.on('console', (message) => {
      const text = message.text();
      const expected = expectation(engine, text);
      if (expected) page.expected.add(expected);
      else fault('console', message.type(), text);
    });
    page.on('pageerror', (error) => fault('uncaught', error.message));
    page.on('request', (request) => {
      const url = new URL(request.url());
      if (/^https?:$/.test(url.protocol) && url.origin !== new URL(base).origin) fault('leaves the origin:', url.href);
    });
    page.on('requestfailed', (request) => fault('failed', request.url(), request.failure()?.errorText));
    page.on('response', (response) => response.status() < 400 || fault(response.status(), response.url()));
    // A scale of 0 leaves the display's own, which the canvases' device pixels follow.
    await page.setViewport({ width, height, deviceScaleFactor: 0 });
    await page.evaluateOnNewDocument(before);
    await page.goto(base + address);
    if (settings.scripts) await until(page, () => document.documentElement.dataset.gpu !== 'starting');
    return page;
  }

  /** Opens an address, looks at the page, closes it, and fails if anything went wrong in it. */
  async function visit(address, look, options) {
    const page = await open(address, options);
    try {
      await look(page);
    } catch (error) {
      error.message = [error.message, ...page.faults].join('\n');
      throw error;
    } finally {
      await page.close();
    }
    assert.deepEqual(page.faults, []);
  }

  async function close() {
    await browser.close();
    server.close();
  }
  return { engine, version, base, browser, server, open, visit, close };
}

/** Waits until `holds(...values)` in the page. */
export const until = (page, holds, ...values) => page.waitForFunction(holds, { polling: 20 }, ...values);

/** Waits until every claim was tried. */
export const tried = (page) => until(page, () => !document.querySelector('[data-verdict=pending]'));

/** What axe finds, a line each; only of some rules, if they are named. */
export async function violations(page, rules) {
  await page.evaluate(axe.source);
  const options = { resultTypes: ['violations'], preload: false, ...(rules && { runOnly: rules }) };
  const { violations } = await page.evaluate((options) => window.axe.run(options), options);
  return violations.flatMap(({ id, nodes }) => nodes.map(({ target, failureSummary }) => `${id}: ${target} ${failureSummary}`));
}

/** Waits until the table of formats has tried this device. */
export const probed = (page) => until(page, () => document.querySelector('[data-formats]').dataset.state === 'tried');

/** Presses the button that saves the report of formats; gives its name and its text. */
export async function exported(page, form = 'json') {
  await page.select('[name="formats.form"]', form);
  await page.$eval('[data-act="formats.save"]', (button) => button.click());
  return page.evaluate(async () => {
    const { name, href } = window.watch.saved.at(-1);
    return { name, text: await window.watch.blobs[href].text() };
  });
}

/** What the browser says of its adapter. */
export const adapter = (page) =>
  page.evaluate(async () => {
    const { info } = await navigator.gpu.requestAdapter();
    return { vendor: info.vendor, architecture: info.architecture };
  });

/** What the page shows of its claims; `words` are those in its `output`, if it is there to be seen. */
export const claims = (page) =>
  page.$$eval('[data-claim]', (sections) =>
    sections.map((section) => {
      const output = section.querySelector('output.words');
      const lines = [...output.querySelectorAll('span')].map(({ textContent }) => textContent).filter(Boolean);
      return {
        id: section.dataset.claim,
        verdict: section.dataset.verdict,
        recorded: section.dataset.recorded,
        words: section.querySelector('[data-slot=said]').checkVisibility() ? lines.join('\n') : undefined,
        tries: [...section.querySelectorAll('[data-try]')].map(({ dataset, lastElementChild }) => ({
          name: dataset.try,
          outcome: dataset.outcome,
          value: dataset.outcome === 'value' ? lastElementChild.textContent : undefined,
          message: dataset.message,
        })),
      };
    }),
  );

const root = (id) => `figure[data-figure="${id}"]`;

/** Brings the picture of figure `id` on screen, for elsewhere it draws nothing, and at whole pixels, where screenshots are cut. */
export const show = (page, id) =>
  page.$eval(`${root(id)} [data-slot=picture]`, ({ style, firstElementChild }) => {
    style.left = style.top = '0';
    const { x, y, height } = firstElementChild.getBoundingClientRect();
    const [left, top] = [x + scrollX, y + scrollY];
    [style.left, style.top] = [`${Math.ceil(left) - left}px`, `${Math.ceil(top) - top}px`];
    scrollTo({ top: Math.max(0, Math.ceil(top - (innerHeight - height) / 2)), behavior: 'instant' });
  });

/** Waits until figure `id` has finished `more` pictures than now, and at least one. */
export async function pictures(page, id, more = 0) {
  const now = await page.$eval(root(id), (figure) => Number(figure.dataset.frame));
  const least = Math.max(1, now + more);
  await until(page, (figure, least) => document.querySelector(figure).dataset.frame >= least, root(id), least);
}

/** Waits until a paused figure has finished all that it has drawn and nothing more is due; gives the number of its pictures. */
export async function settled(page, id) {
  await until(
    page,
    (figure, id) => {
      const { asked, called, drawn } = window.watch;
      return asked === called && drawn[id] === Number(document.querySelector(figure).dataset.frame);
    },
    root(id),
    id,
  );
  return page.$eval(root(id), (figure) => Number(figure.dataset.frame));
}

/** The figure's canvas as it is on the screen, without the cross-hair and the names of its panes. */
export async function picture(page, id) {
  // Verdicts that come in above it would move it away from under the screenshot.
  await page.$$eval('[data-claim]', (claims) => claims.forEach((claim) => (claim.hidden = true)));
  await show(page, id);
  await page.$$eval(`${root(id)} :is([data-slot=cross], .panes)`, (over) => over.forEach(({ style }) => (style.visibility = 'hidden')));
  // What is done is on the screen some frames later.
  await page.evaluate(() => window.watch.during(3));
  const canvas = await page.$(`${root(id)} [data-slot=picture] canvas`);
  return PNG.sync.read(Buffer.from(await canvas.screenshot()));
}

/** What figure `id` shows of its timed ways: numbers by way, the best of them, the side of the texture, and the words. */
export const measure = (page, id) =>
  page.$eval(root(id), (figure) => {
    const rates = [...figure.querySelectorAll('[data-way]')].map((row) => [row.dataset.way, row.querySelector('[data-slot=rate]')]);
    return {
      state: figure.dataset.measure,
      says: figure.querySelector('[data-slot=measured]').textContent,
      size: Number.parseInt(figure.querySelector('[data-slot=size]').textContent, 10),
      values: Object.fromEntries(rates.map(([way, rate]) => [way, Number(rate.textContent)]).filter(([, rate]) => rate > 0)),
      best: rates.filter(([, rate]) => rate.classList.contains('best')).map(([way]) => way),
    };
  });

/** The number of texels that differ by more than `threshold` of the way from black to white. */
export function difference(a, b, threshold = 0) {
  assert.deepEqual([a.width, a.height], [b.width, b.height]);
  return pixelmatch(a.data, b.data, null, a.width, a.height, { threshold, includeAA: true });
}

/** Whether a picture has one colour only. */
export const isBlank = ({ data }) => data.subarray(4).equals(data.subarray(0, -4));
