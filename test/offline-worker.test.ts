import { readFileSync } from "node:fs";
import { runInNewContext } from "node:vm";
import { expect, it } from "vitest";

const origin = "http://site.test";
const worker = readFileSync(new URL("../src/web/public/offline.js", import.meta.url), "utf8");

/** Runs the worker with a cache that contains `paths`, oldest first. */
function startWorker(paths: readonly string[], page: string) {
  const kept = new Map(paths.map((path) => [path, new Response(path)]));
  const pathOf = (key: string | { url: string }) =>
    typeof key === "string" ? key : new URL(key.url).pathname;
  const cache = {
    keys: async () => [...kept.keys()].map((path) => ({ url: origin + path })),
    match: async (key: string | { url: string }) => kept.get(pathOf(key)),
    add: async (path: string) => void kept.set(path, new Response(path)),
    put: async (key: string | { url: string }, response: Response) =>
      void kept.set(pathOf(key), response),
    delete: async (key: string | { url: string }) => kept.delete(pathOf(key)),
  };
  type Listener = (event: object) => void;
  const listeners = new Map<string, Listener>();
  runInNewContext(worker, {
    URL,
    caches: { open: async () => cache, match: cache.match },
    fetch: async () => new Response(page),
    self: {
      location: { origin },
      addEventListener: (type: string, listener: Listener) => listeners.set(type, listener),
    },
  });
  return {
    paths: () => [...kept.keys()],
    /** Opens a page, and resolves once the worker has cached it. */
    async open(path: string): Promise<void> {
      const work: unknown[] = [];
      listeners.get("fetch")?.({
        request: { method: "GET", mode: "navigate", url: origin + path },
        respondWith: (response: unknown) => work.push(response),
        waitUntil: (caching: unknown) => work.push(caching),
      });
      for (const each of work) await each;
    },
  };
}

it("deletes the oldest pictures, but no styles and scripts of the library", async () => {
  const parts = ["/assets/styles.css", "/assets/library.js"];
  const pictures = Array.from({ length: 160 }, (_, number) => `/media/${number}/w320.webp`);
  const page = '<link href="/assets/styles.css"><script src="/assets/library.js"></script>';
  const opened = startWorker([...parts, ...pictures], page);
  await opened.open("/library");
  expect(opened.paths()).toEqual([...parts, ...pictures.slice(10), "/library"]);
});

it("deletes styles and scripts of earlier versions as the oldest files", async () => {
  const pictures = Array.from({ length: 150 }, (_, number) => `/media/${number}/w320.webp`);
  const opened = startWorker(["/assets/old.js", ...pictures], '<script src="/assets/new.js">');
  await opened.open("/library");
  expect(opened.paths()).toEqual([...pictures, "/assets/new.js", "/library"]);
});
