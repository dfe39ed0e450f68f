import { createServer } from "node:http";
import { once } from "node:events";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { startHostileTags, type HostileTags } from "#test/hostile-tags.ts";
import { chainLimits } from "../../contract/vast-address.ts";
import { createGuardedFetch } from "./guarded-fetch.ts";
import { createTagChain, listTagUrls } from "./tag-chain.ts";

/** The test's own server is the only address treated as public. */
const fetchText = createGuardedFetch({ isAllowed: (address) => address === "127.0.0.1" });
const follow = createTagChain(fetchText);
let tags: HostileTags;

beforeAll(async () => {
  tags = await startHostileTags();
});
afterAll(() => tags.stop());
beforeEach(() => void tags.requests.splice(0));

const sizeOf = (documents: { text: string | null }[]) =>
  documents.reduce((sum, { text }) => sum + (text ?? "").length, 0);

test("follows a tag through its wrappers, each document once", async () => {
  const requested: string[] = [];
  const macros = "u=[PAGEURL]&gdpr=${GDPR}&tc=${GDPR_CONSENT_755}";
  const server = createServer((request, response) => {
    const url = request.url ?? "";
    requested.push(url);
    const next: Record<string, string> = {
      "/a": `<![CDATA[b.xml?cb=[CACHEBUSTING]&${macros}]]>`,
      "/b.xml": "/c?k=1&amp;l=2",
      "/c": "/a?x=1&amp;y=2",
    };
    const tag = next[url.split("?")[0] ?? ""] ?? "";
    response.end(`<VAST><Ad><Wrapper><VASTAdTagURI>${tag}</VASTAdTagURI></Wrapper></Ad></VAST>`);
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  const url = `http://127.0.0.1:${typeof address === "object" ? address?.port : 0}`;
  const pageUrl = "https://site.test/video/x";
  const documents = await follow(`${url}/a?x=1&y=2`, {}, { pageUrl, consent: "CPX", gdpr: 1 });
  server.close();
  expect(documents.map((document) => [document.url, document.problem])).toEqual([
    [`${url}/a?x=1&y=2`, null],
    [`${url}/b.xml?cb=[CACHEBUSTING]&${macros}`, null],
    [`${url}/c?k=1&l=2`, null],
  ]);
  expect(requested[1]).toMatch(/^\/b\.xml\?cb=\d{8}&/);
  expect(requested[1]).toContain("&u=https%3A%2F%2Fsite.test%2Fvideo%2Fx&gdpr=1&tc=CPX");
});

test("follows only the requested break of a VMAP document, by its tag and wrappers", async () => {
  const requested: string[] = [];
  const breaks = [
    `<vmap:AdBreak timeOffset="start"><vmap:AdSource><vmap:AdTagURI>/first</vmap:AdTagURI></vmap:AdSource></vmap:AdBreak>`,
    `<vmap:AdBreak timeOffset="end"><vmap:AdSource><vmap:VASTAdData><VAST><Ad><Wrapper>
      <VASTAdTagURI><![CDATA[/second]]></VASTAdTagURI></Wrapper></Ad></VAST></vmap:VASTAdData></vmap:AdSource></vmap:AdBreak>`,
  ];
  const server = createServer((request, response) => {
    requested.push(request.url ?? "");
    response.end(request.url === "/vmap" ? `<vmap:VMAP>${breaks.join("")}</vmap:VMAP>` : "<VAST/>");
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  const url = `http://127.0.0.1:${typeof address === "object" ? address?.port : 0}`;
  await follow(`${url}/vmap`);
  await follow(`${url}/vmap`, {}, { break: 0 });
  const documents = await follow(`${url}/vmap`, {}, { break: 1 });
  server.close();
  expect(requested).toEqual(["/vmap", "/vmap", "/first", "/vmap", "/second"]);
  expect(documents.map((document) => document.url)).toEqual([`${url}/vmap`, `${url}/second`]);
});

test("follows the first of several chains to its end within the limits", async () => {
  const tag = (url: string) => `<Ad><Wrapper><VASTAdTagURI>${url}</VASTAdTagURI></Wrapper></Ad>`;
  const server = createServer((request, response) => {
    const [, name = "", number = "0"] = (request.url ?? "").split("/");
    const next =
      name === "" ? ["/a/1", "/b/1", "/c/1", "/d/1"] : [`/${name}/${Number(number) + 1}`];
    response.end(`<VAST>${number === "3" ? "<Ad/>" : next.map(tag).join("")}</VAST>`);
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  const url = `http://127.0.0.1:${typeof address === "object" ? address?.port : 0}`;
  const documents = await follow(`${url}/`);
  server.close();
  expect(documents).toHaveLength(chainLimits.documents);
  expect(documents.map((document) => document.url)).toContain(`${url}/a/3`);
});

test.each(["/chain/0", "/fan/0"])("stops the endless %s after 8 documents", async (path) => {
  const documents = await follow(tags.url + path);
  expect(tags.requests.length).toBeLessThanOrEqual(chainLimits.documents);
  expect(documents).toHaveLength(tags.requests.length);
});

test("limits all documents of a chain to 4 MB in total", async () => {
  const documents = await follow(`${tags.url}/big/0`);
  expect(documents).toHaveLength(8);
  expect(sizeOf(documents)).toBeLessThanOrEqual(chainLimits.bytes);
  expect(documents.some(({ problem }) => problem === "too_large")).toBe(true);
});

test("cuts off an endless document at 1 MB, and a slow one at the deadline", async () => {
  expect(await follow(`${tags.url}/stream`)).toMatchObject([{ problem: "too_large", text: null }]);
  const soon = createTagChain(fetchText, 300);
  expect(await soon(`${tags.url}/drip`)).toMatchObject([{ problem: "timeout", text: null }]);
});

test("accepts lower limits from the browser, but no higher ones", async () => {
  expect(await follow(`${tags.url}/fan/0`, {}, { documents: 3 })).toHaveLength(3);
  expect(await follow(`${tags.url}/fan/0`, {}, { documents: 50, bytes: 1e9 })).toHaveLength(8);
  const small = await follow(`${tags.url}/big/0`, {}, { bytes: 1_000_000 });
  expect(sizeOf(small)).toBeLessThanOrEqual(1_000_000);
});

test("lists the tags of VAST 1", () => {
  const tag = "<VASTAdTagURL> http://b/x </VASTAdTagURL>";
  expect(listTagUrls(tag, "http://a/")).toEqual(["http://b/x"]);
});

test("lists the tags of a hostile text in linear time", () => {
  expect(listTagUrls("<VASTAdTagURI>".repeat(50_000), "http://a/")).toEqual([]);
});
