// sw: keeps the whole site for use without a network, and never one version's page with another's files

// Every file but the pages lies in a folder named after its version, so a page can only ask for its own version's files:
// those come from the cache. Pages come from the network while there is one, so nobody is kept on an old version.
const FILES = __FILES__;
const PREFIX = `texelarium ${registration.scope} `;
const CACHE = `${PREFIX}__VERSION__`;
/** Milliseconds that a page waits for the network before what is kept, and a file for what is kept before the network. */
const NETWORK_MS = 8000;
const STORAGE_MS = 1000;

addEventListener('install', (event) => {
  skipWaiting();
  event.waitUntil(
    (async () => {
      const cache = await caches.open(CACHE);
      try {
        await cache.addAll(FILES.map((file) => new Request(file, { cache: 'reload' })));
      } catch (error) {
        // All or nothing went in. An empty cache would count as a version, and push a whole one out.
        if (!(await cache.keys()).length) await caches.delete(CACHE);
        throw error;
      }
    })(),
  );
});

// Nothing here is waited for: until activation is over no page of the site comes, and a browser's storage may hang for long.
addEventListener('activate', () => {
  const quietly = () => {};
  clients.claim().catch(quietly);
  forget().catch(quietly);
});

/** A page that is open keeps the version before this one. */
async function forget() {
  const ours = (await caches.keys()).filter((name) => name.startsWith(PREFIX));
  await Promise.all(ours.slice(0, -2).map((name) => caches.delete(name)));
}

addEventListener('fetch', (event) => {
  const { request } = event;
  if (request.method !== 'GET' || !request.url.startsWith(registration.scope)) return;
  const path = request.url.slice(registration.scope.length);
  event.respondWith(path.startsWith('v-') ? versioned(request) : page(request));
});

async function versioned(request) {
  const kept = caches.match(request, { ignoreSearch: true }).catch(() => undefined);
  const late = new Promise((resolve) => setTimeout(resolve, STORAGE_MS));
  const soon = await Promise.race([kept, late]);
  if (soon) return soon;
  try {
    return await fetch(request);
  } catch (error) {
    const found = await kept;
    if (found) return found;
    throw error;
  }
}

async function page(request) {
  // Until the answer begins; its text may take as long as it takes.
  const abort = new AbortController();
  const patience = setTimeout(() => abort.abort(), NETWORK_MS);
  try {
    return await fetch(request, { cache: 'no-cache', signal: abort.signal });
  } catch (error) {
    const cache = await caches.open(CACHE);
    const url = request.url.split(/[?#]/)[0];
    const kept = await cache.match(url.endsWith('/') ? `${url}index.html` : url);
    if (kept) return kept;
    throw error;
  } finally {
    clearTimeout(patience);
  }
}
