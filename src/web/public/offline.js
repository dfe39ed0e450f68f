// The service worker of visitors who keep something: without a network the site opens their library.
// It answers for that page, its scripts and its pictures, and leaves everything else to the network.

const cacheName = "library-1";
const library = "/library";
const filesMax = 150;

/** Scripts, styles and fonts that a page names. */
const partsOf = (html) =>
  [...html.matchAll(/(?:src|href)="(\/(?:assets\/[^"]+|icon\.svg))"/g)].map(([, path]) => path);

async function trim(cache) {
  const kept = await cache.keys();
  const files = kept.filter(({ url }) => new URL(url).pathname !== library);
  await Promise.all(files.slice(0, -filesMax).map((request) => cache.delete(request)));
}

async function keepLibrary(response) {
  if (!response.ok) return;
  const cache = await caches.open(cacheName);
  const parts = partsOf(await response.clone().text());
  await Promise.all(
    parts.map(async (path) => {
      if ((await cache.match(path)) === undefined) await cache.add(path);
    }),
  );
  await cache.put(library, response);
  await trim(cache);
}

const offlinePage = () =>
  new Response(
    `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1"><meta name="color-scheme" content="dark light"><title>You are offline</title><main><h1>You are offline</h1><p>This page needs the network.</p><p><a href="">Try Again</a></p><p><a href="${library}">Your library</a></p></main></html>`,
    { status: 503, headers: { "content-type": "text/html; charset=utf-8" } },
  );

async function openPage(event, path) {
  try {
    const response = await fetch(event.request);
    if (path === library) event.waitUntil(keepLibrary(response.clone()));
    return response;
  } catch {
    // An installed app opens at the front page.
    if (path === "/") return Response.redirect(library);
    const page = path === library ? await caches.match(library) : undefined;
    return page ?? offlinePage();
  }
}

/** Files with a hash in their name never change; a picture is kept for later. */
async function openFile(event) {
  const known = await caches.match(event.request, { ignoreVary: true });
  if (known !== undefined) return known;
  const response = await fetch(event.request);
  if (response.status === 200) {
    const copy = response.clone();
    event.waitUntil(caches.open(cacheName).then((cache) => cache.put(event.request, copy)));
  }
  return response;
}

self.addEventListener("install", (event) => {
  event.waitUntil(
    fetch(library)
      .then(keepLibrary)
      .then(() => self.skipWaiting()),
  );
});

self.addEventListener("activate", (event) => event.waitUntil(self.clients.claim()));

self.addEventListener("fetch", (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (request.method !== "GET" || origin !== self.location.origin) return;
  if (request.mode === "navigate") event.respondWith(openPage(event, pathname));
  else if (pathname.startsWith("/assets/")) event.respondWith(openFile(event));
  else if (
    request.destination === "image" &&
    new URL(request.referrer || origin).pathname === library
  )
    event.respondWith(openFile(event));
});
