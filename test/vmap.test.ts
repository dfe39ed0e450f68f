import { readFileSync } from "node:fs";
import { join } from "node:path";
import { DOMParser, XMLSerializer } from "@xmldom/xmldom";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { isVmap, textOfBreaks } from "#ads/contract/vmap.ts";
import { resolveVast } from "#ads/web/vast/resolve-vast.ts";
import { parseVmap, placeOf, placesOf } from "#ads/web/vast/parse-vmap.ts";

const read = (name: string) =>
  readFileSync(join(import.meta.dirname, "fixtures/vmap", name), "utf8");
const quiet = { warning: () => {}, error: () => {}, fatalError: () => {} };
const parseXml = (text: string) =>
  new DOMParser({ errorHandler: quiet }).parseFromString(text, "text/xml");
const parse = (xml: string) => parseVmap(xml, "http://root.test/a/vmap.xml", parseXml);

beforeAll(() => void vi.stubGlobal("XMLSerializer", XMLSerializer));
afterAll(() => void vi.unstubAllGlobals());

test("reads breaks with their times, sources, rules and addresses", () => {
  const breaks = parse(read("breaks.xml")) ?? [];
  expect(breaks.map(({ id, at }) => [id, at])).toEqual([
    ["before", "start"],
    ["middle", { kind: "seconds", s: 90.5 }],
    ["middle-2", { kind: "seconds", s: 90.5 }],
    [null, { kind: "percent", percent: 75 }],
    ["after", "end"],
  ]);
  expect(
    breaks.map(({ source }) => (source !== null && "url" in source ? source.url : "inline")),
  ).toEqual([
    "inline",
    "http://a.test/tag?x=1&y=2",
    "http://root.test/second?x=1&y=2",
    "inline",
    "http://a.test/after",
  ]);
  expect(breaks[0]).toMatchObject({ allowsPods: false, followsWrappers: false, problem: null });
  expect(breaks[1]).toMatchObject({ allowsPods: true, followsWrappers: true });
  expect(breaks[0]?.tracking).toEqual({
    breakStart: ["http://t.test/start?a=1&b=2", "http://root.test/start"],
    breakEnd: ["http://t.test/end"],
    error: ["http://t.test/error?[ERROR_CODE]"],
  });
});

test("reads the VAST inside a break as a separate document, even in a CDATA section", async () => {
  const breaks = parse(read("breaks.xml")) ?? [];
  const resolve = (at: number) => {
    const source = breaks[at]?.source ?? null;
    const text = source !== null && "text" in source ? source.text : "";
    return resolveVast("http://root.test/a/vmap.xml", {
      load: () => Promise.resolve({ ok: true, text }),
      parseXml,
      canPlay: () => true,
    });
  };
  expect((await resolve(0)).ads).toMatchObject([
    {
      id: "first",
      impressions: ["http://root.test/i?first&x=[CACHEBUSTING]"],
      mediaFiles: [{ url: "http://root.test/a/media/first.mp4" }],
    },
  ]);
  expect(await resolve(3)).toMatchObject({ ads: [], rootErrorUrls: ["http://e.test/x"] });
});

test("reports what can't be shown with a VMAP code, and preserves the others", () => {
  const breaks = parse(read("unusable.xml")) ?? [];
  expect(breaks.map(({ problem }) => problem?.code ?? null)).toEqual([
    ...[1000, 1003, 1005, 1005, 1004, 1004],
    null,
  ]);
  expect(breaks.map((one) => placeOf(one, 60))).toEqual([...Array<null>(6).fill(null), 10]);
});

test.each([
  ["start", "start"],
  ["end", "end"],
  ["00:00:00", "start"],
  ["0%", "start"],
  ["100%", "end"],
  ["50%", 100],
  ["00:00:42.5", 42.5],
  ["00:03:20", "end"],
  ["01:00:00", null],
])("places a break at %s at %s in a video of 200 s", (timeOffset, place) => {
  const [one] =
    parse(
      `<vmap:VMAP><vmap:AdBreak timeOffset="${timeOffset}"><vmap:AdSource><vmap:AdTagURI>http://a/b</vmap:AdTagURI></vmap:AdSource></vmap:AdBreak></vmap:VMAP>`,
    ) ?? [];
  expect(one && placeOf(one, 200)).toBe(place);
});

test.each([
  ["start", "00:01:00", 200, ["start", 60, 120, 180]],
  ["00:00:30", "00:00:45.5", 130, [30, 75.5, 121]],
  ["25%", "60", 200, [50, 110, 170]],
  ["end", "00:01:00", 200, ["end"]],
  ["00:00:30", "soon", 200, [30]],
  ["00:00:30", "00:00:01", 200, [30]],
  ["00:00:30", "00:01:00", 0, [30]],
])("repeats a break at %s after %s in a video of %s s", (timeOffset, repeat, durationS, places) => {
  const [one] =
    parse(
      `<VMAP><AdBreak timeOffset="${timeOffset}" repeatAfter="${repeat}"><AdSource><AdTagURI>http://a/b</AdTagURI></AdSource></AdBreak></VMAP>`,
    ) ?? [];
  expect(one && placesOf(one, durationS)).toEqual(places);
});

test("rejects VAST, HTML and documents with their own entities as VMAP", () => {
  expect(parse("<VAST/>")).toBeNull();
  expect(parse("<html><vmap:VMAP></vmap:VMAP></html>")).toBeNull();
  expect(parse(`<!DOCTYPE VMAP [<!ENTITY a "b">]><VMAP></VMAP>`)).toBeNull();
  expect(isVmap(`\uFEFF<?xml version="1.0"?>\n<!-- a -->\n<vmap:VMAP xmlns:vmap="x">`)).toBe(true);
});

test("returns the text of one break with only its tag", () => {
  const text = textOfBreaks(read("breaks.xml"), [1]);
  expect(text).toContain("http://a.test/tag");
  expect(text).not.toContain("/second");
  expect(textOfBreaks(read("breaks.xml"), [9])).toBe("");
});
