import { DOMParser } from "@xmldom/xmldom";
import { afterAll, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { startHostileTags, type HostileTags } from "./hostile-tags.ts";
import { chainLimits } from "#ads/contract/vast-address.ts";
import { resolveVast, type LoadResult, type LoadVast } from "#ads/web/vast/resolve-vast.ts";
import { loadDirectly, startChain } from "#ads/web/video/browser-vast.ts";

const quiet = { warning: () => {}, error: () => {}, fatalError: () => {} };
const parseXml = (text: string) =>
  new DOMParser({ errorHandler: quiet }).parseFromString(text, "text/xml");
let tags: HostileTags;

beforeAll(async () => {
  tags = await startHostileTags();
});
afterAll(() => tags.stop());
beforeEach(() => {
  vi.stubGlobal("window", { location: { href: "http://site.test/video/x" } });
  tags.requests.splice(0);
});

async function resolve(path: string) {
  const responses: LoadResult[] = [];
  const direct = loadDirectly(startChain());
  const load: LoadVast = async (url, depth) => {
    const response = await direct(url, depth);
    responses.push(response);
    return response;
  };
  const url = tags.url + path;
  const result = await resolveVast(url, { load, parseXml, canPlay: () => true });
  return { ...result, responses };
}

test.each(["/chain/0", "/fan/0"])("stops the endless %s after 8 documents", async (path) => {
  const { ads } = await resolve(path);
  expect(tags.requests.length).toBeLessThanOrEqual(chainLimits.documents);
  expect(ads.every((ad) => ad.outcome === "error" && ad.code === 302)).toBe(true);
});

test("limits all documents of a chain to 4 MB in total", async () => {
  const { responses } = await resolve("/big/0");
  expect(responses).toHaveLength(8);
  const sizes = responses.map((response) => (response.ok ? response.text.length : 0));
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(chainLimits.bytes);
  expect(responses).toContainEqual({ ok: false, reason: "too_large" });
});

test("cuts off an endless document and closes its connection", async () => {
  const { documentFailure } = await resolve("/stream");
  expect(documentFailure?.code).toBe(900);
  expect(documentFailure?.reason).toContain("1 MB");
  const sent = tags.sentBytes();
  await new Promise((done) => setTimeout(done, 100));
  // Only buffered bytes arrive, because the server stops sending when its reader stops.
  expect(tags.sentBytes() - sent).toBeLessThan(1024 * 1024);
});

test("applies the chain's deadline to all its documents, including slow ones", async () => {
  const budget = startChain({ timeMs: 300 });
  const load = loadDirectly(budget);
  const results = await Promise.all([load(`${tags.url}/drip`, 0), load(`${tags.url}/drip`, 1)]);
  expect(results).toEqual([
    { ok: false, reason: "timeout" },
    { ok: false, reason: "timeout" },
  ]);
  expect(await load(`${tags.url}/chain/0`, 2)).toEqual({ ok: false, reason: "timeout" });
});
