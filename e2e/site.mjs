// site: serves dist/ under a sub-path and opens its pages in a real browser, noting everything that goes wrong

import { readdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import pixelmatch from 'pixelmatch';
import { PNG } from 'pngjs';
import puppeteer from 'puppeteer-core';
import sirv from 'sirv';

const ROOT = new URL('../', import.meta.url);
const DIST = new URL('dist/', ROOT);
/** Any path will do: the site has only relative links. */
const UNDER = '/some/where/';

export const ENGINES = ['chromium', 'firefox'];

/** A file of the project; JSON comes parsed. */
export function read(path) {
  const file = readFileSync(new URL(path, ROOT));
  return path.endsWith('.json') ? JSON.parse(file) : file;
}

/** Every file of dist/. */
export const files = readdirSync(DIST, { recursive: true }).map((path) => path.replaceAll('\\', '/'));

/** Every page of every language, and `ids(attribute)` of what each holds; a page that stands at two addresses is `twice` the second time. */
export const pages = (() => {
  const seen = new Set();
  return files
    .filter((path) => path.endsWith('.html'))
    .sort((a, b) => a.endsWith('index.html') - b.endsWith('index.html') || a.localeCompare(b))
    .map((path) => {
      const html = readFileSync(new URL(path, DIST), 'utf8');
      const twice = seen.has(html);
      seen.add(html);
      const ids = (attribute) => [...html.matchAll(new RegExp(`<[^>]* ${attribute}="([^"]*)"`, 'g'))].map(([, id]) => id);
      return { path, twice, figures: ids('data-figure'), claims: ids('data-claim') };
    });
})();

/** Each figure once, with the first page that has it: English comes before the folders of the other languages. */
export const figures = new Map(
  pages.toReversed().flatMap(({ path, figures }) => figures.map((id) => [id, path])),
);

const EXPECTED = read('e2e/console.json');

/** Flags and preferences under which the browsers run WebGPU on a software GPU, each with a display of `scale`. */
const LAUNCH = {
  chromium: ({ scale, dark, still }) => ({
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
      `--blink-settings=preferredColorScheme=${dark ? 0 : 1}`,
      ...(still ? ['--force-prefers-reduced-motion'] : []),
    ],
  }),
  firefox: ({ scale, dark, still }) => ({
    browser: 'firefox',
    executablePath: process.env.FIREFOX ?? '/usr/bin/firefox-esr',
    extraPrefsFirefox: {
      'dom.webgpu.enabled': true,
      'gfx.webgpu.ignore-blocklist': true,
      'layout.css.devPixelsPerPx': `${scale}.0`,
      'layout.css.prefers-color-scheme.content-override': dark ? 0 : 1,
      'ui.prefersReducedMotion': still ? 1 : 0,
    },
  }),
};

/** Serves dist/; `change(path, html)` may answer with another text for a page. */
export async function serve(change) {
  const assets = sirv(DIST.pathname, { dev: true });
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url, 'http://localhost');
    const path = pathname.slice(UNDER.length);
    if (!pathname.startsWith(UNDER)) return response.writeHead(404).end();
    if (change && path.endsWith('.html')) {
      response.writeHead(200, { 'Content-Type': 'text/html;charset=utf-8', 'Cache-Control': 'no-store' });
      return response.end(change(path, readFileSync(new URL(path, DIST), 'utf8')));
    }
    request.url = `/${request.url.slice(UNDER.length)}`;
    assets(request, response);
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { server, base: `http://127.0.0.1:${server.address().port}${UNDER}` };
}

/** A server and one browser. */
export async function launch(engine, { scale = 1, dark = false, still = false, change } = {}) {
  const { server, base } = await serve(change);
  const browser = await puppeteer.launch({ headless: true, ...LAUNCH[engine]({ scale, dark, still }) });
  const version = await browser.version();

  /** Opens an address of the site. `before` runs in the page before its scripts. */
  async function open(address, { width = 1280, height = 900, before, scripts = true } = {}) {
    const page = await browser.newPage();
    page.setDefaultTimeout(20_000);
    page.faults = [];
    page.expected = new Set();
    const fault = (...words) => page.faults.push(words.join(' ').trim());
    page.on('console', (message) => {
      const text = message.text();
      const claim = /claim\/([^/]+)\//.exec(text)?.[1];
      const pattern = EXPECTED[engine][claim]?.find((pattern) => new RegExp(pattern).test(text));
      if (pattern) page.expected.add(`${claim}: ${pattern}`);
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
    if (before) await page.evaluateOnNewDocument(before);
    if (!scripts) await page.setJavaScriptEnabled(false);
    await page.goto(base + address);
    return page;
  }

  async function close() {
    await browser.close();
    server.close();
  }
  return { engine, version, base, browser, open, close };
}

/** Waits until the page has its device and, unless a twin runs in place of the wasm, has tried its claims. */
export async function ready(page) {
  await page.waitForFunction(() => document.documentElement.dataset.gpu !== 'starting');
  if (!page.url().includes('twin=')) {
    await page.waitForFunction(() => !document.querySelector('[data-verdict=pending]'));
  }
}

/** Waits until figure `id` has finished picture number `least`, and gives the number of its last. */
export async function frame(page, id, least = 1) {
  await page.waitForFunction(
    (id, least) => Number(document.querySelector(`figure[data-figure="${id}"]`).dataset.frame) >= least,
    {},
    id,
    least,
  );
  return page.$eval(`figure[data-figure="${id}"]`, (figure) => Number(figure.dataset.frame));
}

/** The figure's canvas as it is on the screen, without the cross-hair. */
export async function picture(page, id) {
  const place = `figure[data-figure="${id}"] [data-slot=picture]`;
  await page.$eval(`${place} [data-slot=cross]`, (cross) => (cross.style.visibility = 'hidden'));
  const canvas = await page.$(`${place} canvas`);
  return PNG.sync.read(Buffer.from(await canvas.screenshot()));
}

/** The number of texels that differ: at all, or by more than `threshold` of the way from black to white. */
export function difference(a, b, threshold = 0) {
  if (a.width !== b.width || a.height !== b.height) return Infinity;
  return pixelmatch(a.data, b.data, null, a.width, a.height, { threshold, includeAA: true });
}

/** Whether a picture has one colour only. */
export const isBlank = ({ data }) => Buffer.compare(data.subarray(4), data.subarray(0, -4)) === 0;
