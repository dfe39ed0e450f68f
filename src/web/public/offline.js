// Service worker for visitors who have saved something. Offline, the site opens their library.
// Handles this page, its scripts and its pictures, and leaves all other requests to the network.
//
// Every script of the site can write to the cache, also one of a trusted ad. So only the library gets
// files from it: a changed script must not reach the back office.

const cacheName = "library-1";
const library = "/library";
/** Matches the library in any language. */
const libraries = /^(\/[a-z]{2})?\/library$/;
/** Matches pages with accounts and secrets, which the worker never handles. */
const apart = /^(\/[a-z]{2})?\/(admin|auth|setup|private|partner)(\/|$)/i;
const prefixOf = (path) => /^\/[a-z]{2}(?=\/|$)/.exec(path)?.[0] ?? "";
const pathOf = ({ url }) => new URL(url).pathname;
const filesMax = 150;

/** Returns the scripts, styles and fonts that a page refers to. */
const partsOf = (html) =>
  [...html.matchAll(/(?:src|href)="(\/(?:assets\/[^"]+|icon\.svg))"/g)].map(([, path]) => path);

/** Deletes the oldest files, but never the parts of the page. */
async function trim(cache, parts) {
  const kept = (await cache.keys()).map((request) => [request, pathOf(request)]);
  const files = kept.filter(([, path]) => !libraries.test(path) && !parts.includes(path));
  await Promise.all(files.slice(0, -filesMax).map(([request]) => cache.delete(request)));
}

async function keepLibrary(response, path) {
  if (!response.ok || response.redirected) return;
  const cache = await caches.open(cacheName);
  const parts = partsOf(await response.clone().text());
  await Promise.all(
    parts.map(async (path) => {
      if ((await cache.match(path)) === undefined) await cache.add(path);
    }),
  );
  // The most recently opened page is last.
  await cache.delete(path);
  await cache.put(path, response);
  await trim(cache, parts);
}

/** Returns the path of the library page that was opened last. */
async function findKept() {
  const cache = await caches.open(cacheName);
  return (await cache.keys()).map(pathOf).findLast((path) => libraries.test(path));
}

const english = [
  "You're offline",
  "You need a connection to view this page.",
  "Try Again",
  "Your library",
];

/** Minimal styles, because the site's style sheet may not be cached. */
const style = `:root{color-scheme:dark light;font:16px/1.5 system-ui,sans-serif;
background:light-dark(#fbfaf7,#0b0d11);color:light-dark(#17191f,#f6f4ef)}
body{margin:0;min-height:100dvh;display:grid;place-content:center;justify-items:center;text-align:center}
main{max-width:32rem;padding:2rem 1.5rem}h1{margin:0;font-size:1.75rem;line-height:1.2}
p{margin:.75rem 0 0;opacity:.8}nav{display:flex;flex-wrap:wrap;justify-content:center;gap:.75rem;margin-top:1.5rem}
a{padding:.625rem 1.25rem;border-radius:10px;color:inherit;background:light-dark(#eceae5,#1c1f25);
font-weight:500;font-size:.875rem;text-decoration:none}a:first-child{background:#fdb437;color:#1f1608}
a:focus-visible{outline:2px solid light-dark(#8a5200,#fdb437);outline-offset:2px}`;

/** Uses the language of the stored library page, which contains the texts. */
async function offlinePage(kept = library) {
  const html = (await (await caches.match(kept))?.text()) ?? "";
  const [, language = 'lang="en"'] = /<html (lang="\w+"(?: dir="\w+")?)/.exec(html) ?? [];
  const [, texts] = /<meta name="offline" content="([^"]+)"/.exec(html) ?? [];
  const [title, text, retry, name] = texts?.split("|") ?? english;
  return new Response(
    `<!doctype html><html ${language}><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1"><meta name="color-scheme" content="dark light"><title>${title}</title><style>${style}</style><main><h1>${title}</h1><p>${text}</p><nav><a href="">${retry}</a><a href="${kept}">${name}</a></nav></main></html>`,
    { status: 503, headers: { "content-type": "text/html; charset=utf-8" } },
  );
}

async function openPage(event, path) {
  try {
    const response = await fetch(event.request);
    if (libraries.test(path)) event.waitUntil(keepLibrary(response.clone(), path));
    return response;
  } catch {
    const kept = await findKept();
    // An installed app opens the front page.
    const isFront = path === "/" || path === prefixOf(path);
    if (isFront || (path === library && kept !== undefined && kept !== library))
      return Response.redirect(kept ?? library);
    const page = libraries.test(path) ? await caches.match(path) : undefined;
    return page ?? offlinePage(kept);
  }
}

/** Finds a thumbnail in another size or type, because a rotated phone requests a different one. */
async function findSibling(request) {
  const folderOf = ({ url }) => url.slice(0, url.lastIndexOf("/"));
  const cache = await caches.open(cacheName);
  const kept = await cache.keys();
  const sibling = kept.find((each) => folderOf(each) === folderOf(request));
  return sibling === undefined ? undefined : cache.match(sibling);
}

/** Files with a hash in their name never change. Pictures are cached for offline use. */
async function openFile(event) {
  const known = await caches.match(event.request, { ignoreVary: true });
  if (known !== undefined) return known;
  let response;
  try {
    response = await fetch(event.request);
  } catch (error) {
    const sibling = /\/w\d+\.\w+$/.test(event.request.url) && (await findSibling(event.request));
    if (!sibling) throw error;
    return sibling;
  }
  if (response.status === 200) {
    const copy = response.clone();
    event.waitUntil(caches.open(cacheName).then((cache) => cache.put(event.request, copy)));
  }
  return response;
}

/** Serves a file to the library from the cache, and to all other pages from the network. */
async function openAsset(event) {
  const page = await self.clients.get(event.clientId);
  return page !== undefined && libraries.test(pathOf(page))
    ? openFile(event)
    : fetch(event.request);
}

/** Caches the library in the language of the current page. */
async function install() {
  const [page] = await self.clients.matchAll({ includeUncontrolled: true, type: "window" });
  const path = (page === undefined ? "" : prefixOf(pathOf(page))) + library;
  await keepLibrary(await fetch(path), path);
  await self.skipWaiting();
}

self.addEventListener("install", (event) => event.waitUntil(install()));

self.addEventListener("activate", (event) => event.waitUntil(self.clients.claim()));

self.addEventListener("fetch", (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (request.method !== "GET" || origin !== self.location.origin) return;
  if (request.mode === "navigate") {
    if (!apart.test(pathname)) event.respondWith(openPage(event, pathname));
  } else if (pathname.startsWith("/assets/")) event.respondWith(openAsset(event));
  else if (
    request.destination === "image" &&
    libraries.test(new URL(request.referrer || origin).pathname)
  )
    event.respondWith(openFile(event));
});
