// boot: starts the wasm, or the JavaScript twin that ?twin=<figure> names, and says so where that fails

const root = document.documentElement;

function failed(error) {
  root.dataset.gpu = 'failed';
  const said = document.querySelector('[data-slot=said]');
  said.hidden = false;
  said.querySelector('[data-slot=sentence]').textContent =
    JSON.parse(document.getElementById('words').textContent)['gpu.failed'];
  said.querySelector('[data-slot=message]').textContent = String(error);
}

// A panic ends the wasm with a trap, and an exception that the browser throws inside it ends it as well.
addEventListener('error', ({ error }) => {
  if (error?.stack?.includes('wasm')) failed(error);
});

const twin = new URLSearchParams(location.search).get('twin');
try {
  if (twin) {
    await (await import('./twins/run.js')).run(twin);
  } else {
    const { js, wasm } = document.querySelector('script[data-wasm]').dataset;
    const { default: init } = await import(new URL(js, document.baseURI));
    await init({ module_or_path: new URL(wasm, document.baseURI) });
  }
} catch (error) {
  failed(error);
}

// Only a release is kept for use without a network: a service worker would show stale builds while developing.
if (__RELEASE__ && navigator.serviceWorker) {
  const keep = async () => {
    const kept = await navigator.serviceWorker.register(new URL('../sw.js', import.meta.url));
    // Browsers look for a new version when they please; this one looks at each visit.
    await kept.update();
  };
  // Without a network, or where a browser refuses, the site goes on as it is.
  const quietly = () => keep().catch(() => {});
  if (document.readyState === 'complete') quietly();
  else addEventListener('load', quietly);
}
