// bench: what figures cost through wasm against their JavaScript twins, in real browsers; --json for `cargo xtask bench`

import { parseArgs } from 'node:util';
import { ENGINES, figures, files, launch, probed, tried, until } from './site.mjs';

/** Cold loads of each. */
const LOADS = 20;
/** Runs of each over which CPU time is counted, and pictures in a run. */
const RUNS = 4;
const PICTURES = 100;

/** Budgets of the project. */
const FIRST_PICTURE = 1.2;
const CPU_MS = 0.1;
const GPU = 1.1;
const PROBE_MS = 1000;

const { json } = parseArgs({ options: { json: { type: 'boolean' } } }).values;
const rows = [];
const row = (what, budget, measured, ok, detail) => rows.push({ what, budget, measured, ok, detail });
const median = (values) => values.toSorted((a, b) => a - b)[values.length >> 1];
const mean = (values) => values.reduce((sum, value) => sum + value, 0) / values.length;

/** Runs in every page before its scripts: when the first picture was done, what callbacks that draw cost, how long the GPU had work, and long tasks. */
function measure() {
  const measured = { first: undefined, costs: [], gpu: [], long: [] };
  window.measured = measured;
  // A page of the twin alone would keep no site for later.
  if (location.search.includes('twin=')) delete Navigator.prototype.serviceWorker;
  new MutationObserver(() => (measured.first ??= performance.now())).observe(document, {
    subtree: true,
    attributeFilter: ['data-frame'],
  });
  let drew = false;
  const { submit } = GPUQueue.prototype;
  GPUQueue.prototype.submit = function (buffers) {
    drew = true;
    submit.call(this, buffers);
    const start = performance.now();
    this.onSubmittedWorkDone().then(() => measured.gpu.push(performance.now() - start));
  };
  const raf = requestAnimationFrame.bind(window);
  window.requestAnimationFrame = (callback) =>
    raf((now) => {
      drew = false;
      const start = performance.now();
      callback(now);
      const end = performance.now();
      if (drew) measured.costs.push(end - start);
    });
  if (PerformanceObserver.supportedEntryTypes.includes('longtask')) {
    new PerformanceObserver((list) => {
      for (const { startTime, duration } of list.getEntries()) measured.long.push({ startTime, duration });
    }).observe({ type: 'longtask', buffered: true });
  }
}

const SITE = {
  // A page isolated from other origins has finer clocks.
  headers: { 'Cross-Origin-Opener-Policy': 'same-origin', 'Cross-Origin-Embedder-Policy': 'require-corp' },
  // The twin does not fetch the wasm.
  change: (url, html) => (url.searchParams.has('twin') ? html.replaceAll(/<link rel="(module)?preload"[^>]*>/g, '') : html),
};

/** A reader of what Chromium tells of the main thread: its own time, in milliseconds, whatever else the machine does. */
async function threadTime(page, engine) {
  if (engine !== 'chromium') return () => ({});
  const session = await page.createCDPSession();
  await session.send('Performance.enable', { timeDomain: 'threadTicks' });
  return async () => {
    const { metrics } = await session.send('Performance.getMetrics');
    return Object.fromEntries(metrics.map(({ name, value }) => [name, value * 1000]));
  };
}

/** Calls `run` that often for the figure and its twin, by turns, and gives what each came to. */
async function byTurns(times, id, run) {
  const results = { wasm: [], twin: [] };
  for (let turn = 0; turn < times; turn += 1) {
    const turns = [['wasm', ''], ['twin', `?twin=${id}`]];
    for (const [name, query] of turn % 2 ? turns.reverse() : turns) results[name].push(await run(query));
  }
  return results;
}

for (const engine of ENGINES) {
  const site = await launch(engine, SITE);
  for (const [id, path] of figures) {
    if (!files.some((path) => path.endsWith(`twins/${id}.js`))) continue;

    const load = async (query) => {
      const context = await site.browser.createBrowserContext();
      const page = await site.open(path + query, { before: measure, context });
      await until(page, () => window.measured.first !== undefined);
      const { first } = await page.evaluate(() => window.measured);
      await context.close();
      return first;
    };
    await byTurns(1, id, load);
    const first = await byTurns(LOADS, id, load);
    const [wasm, twin] = [median(first.wasm), median(first.twin)];
    row(
      `${id}, first live picture, ${engine}`,
      `${FIRST_PICTURE} × twin`,
      `${(wasm / twin).toFixed(2)} × twin`,
      wasm / twin <= FIRST_PICTURE,
      `${wasm.toFixed(0)} ms and ${twin.toFixed(0)} ms, medians of ${LOADS} cold loads each`,
    );

    const long = [];
    const run = async (query) => {
      const page = await site.open(path + query, { before: measure });
      if (!query) await tried(page);
      await until(page, () => window.measured.costs.length > 10);
      const time = await threadTime(page, engine);
      const before = await time();
      await page.evaluate(() => (window.measured.costs.length = window.measured.gpu.length = 0));
      await until(page, (pictures) => window.measured.costs.length >= pictures, PICTURES);
      const measured = await page.evaluate(() => window.measured);
      const after = await time();
      if (!query) long.push(...measured.long.filter(({ startTime }) => startTime > measured.first));
      await page.close();
      const a = (name) => (after[name] - before[name]) / measured.costs.length;
      return { callback: median(measured.costs), gpu: median(measured.gpu), script: a('ScriptDuration'), task: a('TaskDuration') };
    };
    const cpu = await byTurns(RUNS, id, run);
    const [ours, theirs] = [cpu.wasm, cpu.twin].map((runs) => (name) => mean(runs.map((run) => run[name])));
    const pair = (name) => `${ours(name).toFixed(3)} and ${theirs(name).toFixed(3)} ms`;
    // A thread's own time where the browser tells it: the clock on the wall counts what other programs take.
    const counted = engine === 'chromium' ? 'script' : 'callback';
    const more = ours(counted) - theirs(counted);
    row(
      `${id}, CPU a frame, ${engine}`,
      `${CPU_MS} ms more`,
      `${more.toFixed(3)} ms more`,
      more <= CPU_MS,
      engine === 'chromium'
        ? `the main thread’s own time, over ${RUNS * PICTURES} pictures each: ${pair('script')} in scripts, ${pair('task')} in all`
        : `${pair('callback')} on the clock in the callback that draws, medians over ${RUNS * PICTURES} pictures each`,
    );
    row(
      `${id}, GPU a picture, ${engine}`,
      `${GPU} × twin`,
      `${(ours('gpu') / theirs('gpu')).toFixed(2)} × twin`,
      ours('gpu') <= GPU * theirs('gpu'),
      `${pair('gpu')} from a submit until its work is done, medians over ${RUNS * PICTURES} pictures each`,
    );
    if (engine === 'chromium') {
      const longest = Math.max(0, ...long.map(({ duration }) => duration));
      row(
        `${id}, tasks over 50 ms after the first picture`,
        'none',
        long.length === 0 ? 'none' : `${long.length}, longest ${longest.toFixed(0)} ms`,
        long.length === 0,
        `in ${RUNS} loads, until ${PICTURES} pictures after the claims`,
      );
    }
  }
  // The probe of the formats begins when all else on the page waits for it.
  const page = await site.open('format-table.html', { before: measure });
  const time = await threadTime(page, engine);
  const state = (name) => until(page, (name) => document.querySelector('[data-formats]').dataset.state === name, name);
  await state('probing');
  const [before, start] = [await time(), Date.now()];
  await probed(page);
  const [after, end] = [await time(), Date.now()];
  const { long } = await page.evaluate(() => window.measured);
  if (engine === 'chromium') {
    const busy = after.TaskDuration - before.TaskDuration;
    const detail = `its own time, of ${end - start} ms on the clock; tasks over 50 ms: ${long.length}`;
    row(`the format probe, main thread, ${engine}`, `${PROBE_MS} ms`, `${busy.toFixed(0)} ms`, busy < PROBE_MS, detail);
  } else {
    row(`the format probe, ${engine}`, '', `${end - start} ms`, undefined, 'on the clock');
  }
  await site.close();
}

if (json) console.log(JSON.stringify(rows, null, 2));
else console.table(rows);
