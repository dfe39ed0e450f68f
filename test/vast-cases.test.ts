import { readFileSync } from "node:fs";
import { join } from "node:path";
import { DOMParser } from "@xmldom/xmldom";
import { describe, expect, test } from "vitest";
import { isHls, orderMediaFiles } from "#ads/web/vast/media-choice.ts";
import { chooseForSlot } from "#ads/web/vast/pod-order.ts";
import type { ParseXml } from "#ads/web/vast/parse-document.ts";
import { type LoadVast, resolveVast } from "#ads/web/vast/resolve-vast.ts";
import { offsetSeconds, type AdResult, type PlayableAd } from "#ads/web/vast/vast-ad.ts";
import { findCorpus } from "./shared-material.ts";

/** Expected properties of one ad, derived from the text of VAST 4.3. */
interface ExpectedAd {
  id?: string | null;
  sequence?: number | null;
  wrapperCount?: number;
  errorUrls?: string[];
  error?: number;
  errorAccept?: number[];
  duration?: number;
  skipSeconds?: number | null;
  impressions?: string[];
  tracking?: Record<string, string[]>;
  progress?: { seconds: number | null; url: string }[];
  clickThrough?: string | null;
  clickTracking?: string[];
  customClick?: string[];
  viewable?: string[];
  notViewable?: string[];
  mediaFile?: { playable: string[]; preferred640?: string; preferred1280?: string };
  mustNotRequest?: string[];
  rootErrorUrls?: string[];
}

interface Case {
  id?: string;
  file: string;
  url?: string;
  routes?: Record<string, { file: string } | { status: number }>;
  expect: {
    outcome?: "play" | "error" | "no-ad";
    mode?: "single" | "buffet" | "pod";
    rootErrorUrls?: string[];
    anyOneOf?: string[];
    playOrder?: string[];
    playOrderAccept?: string[][];
    singleSlotPlay?: string[];
    error?: number;
    errorAccept?: number[];
    ads?: ExpectedAd[];
  };
}

const fixtures = join(import.meta.dirname, "fixtures/vast");

function readCases(folder: string): Case[] {
  const manifest: { cases: Case[] } = JSON.parse(
    readFileSync(join(folder, "manifest.json"), "utf8"),
  );
  return manifest.cases;
}

const nameOf = (one: Case) => one.id ?? one.file;
const addressOf = (one: Case) => one.url ?? `http://vast.test/${one.file}`;

const parseXml: ParseXml = (text) => {
  let isBroken = false;
  const fail = () => {
    isBroken = true;
  };
  const parser = new DOMParser({
    errorHandler: { warning: () => {}, error: fail, fatalError: fail },
  });
  try {
    const document = parser.parseFromString(text, "text/xml");
    return isBroken ? null : document;
  } catch {
    return null;
  }
};

/** Creates a loader that responds with the files of a case. */
function createLoader(folder: string, one: Case): { load: LoadVast; requested: string[] } {
  const fileText = (file: string) => readFileSync(join(folder, file), "utf8");
  const requested: string[] = [];
  return {
    requested,
    load: async (url) => {
      requested.push(url);
      if (url === addressOf(one)) return { ok: true, text: fileText(one.file) };
      const route = one.routes?.[url];
      if (route === undefined) return { ok: false, reason: "unreachable" };
      return "file" in route
        ? { ok: true, text: fileText(route.file) }
        : { ok: false, reason: "status", status: route.status };
    },
  };
}

const canPlay = (type: string) => ["video/mp4", "video/webm"].includes(type) || isHls(type);
/** Rounds to milliseconds, like the manifests. */
const rounded = (s: number | null) => (s === null ? null : Math.round(s * 1000) / 1000);
const sorted = (list: readonly string[] | undefined) => [...(list ?? [])].toSorted();

function comparable(ad: PlayableAd) {
  return {
    id: ad.id,
    sequence: ad.sequence,
    wrapperCount: ad.wrapperCount,
    duration: ad.durationS,
    skipSeconds: ad.skip === null ? null : rounded(offsetSeconds(ad.skip, ad.durationS)),
    impressions: sorted(ad.impressions),
    tracking: Object.fromEntries([...ad.tracking].map(([name, urls]) => [name, sorted(urls)])),
    progress: ad.progress
      .map(({ offset, url }) => ({ seconds: rounded(offsetSeconds(offset, ad.durationS)), url }))
      .toSorted((a, b) => a.url.localeCompare(b.url)),
    clickThrough: ad.clickThrough,
    clickTracking: sorted(ad.clickTracking),
    customClick: sorted(ad.customClicks),
    viewable: sorted(ad.viewable),
    notViewable: sorted(ad.notViewable),
    errorUrls: sorted(ad.errorUrls),
    playable: sorted(ad.mediaFiles.map((file) => file.url)),
    preferred640: orderMediaFiles(ad.mediaFiles, 640)[0]?.url,
    preferred1280: orderMediaFiles(ad.mediaFiles, 1280)[0]?.url,
  };
}

function expected(ad: ExpectedAd): ReturnType<typeof comparable> {
  return {
    id: ad.id ?? null,
    sequence: ad.sequence ?? null,
    wrapperCount: ad.wrapperCount ?? 0,
    duration: ad.duration ?? null,
    skipSeconds: ad.skipSeconds ?? null,
    impressions: sorted(ad.impressions),
    tracking: Object.fromEntries(
      Object.entries(ad.tracking ?? {}).map(([name, urls]) => [name, sorted(urls)]),
    ),
    progress: (ad.progress ?? [])
      .map(({ seconds, url }) => ({ seconds, url }))
      .toSorted((a, b) => a.url.localeCompare(b.url)),
    clickThrough: ad.clickThrough ?? null,
    clickTracking: sorted(ad.clickTracking),
    customClick: sorted(ad.customClick),
    viewable: sorted(ad.viewable),
    notViewable: sorted(ad.notViewable),
    errorUrls: sorted(ad.errorUrls),
    playable: sorted(ad.mediaFile?.playable),
    preferred640: ad.mediaFile?.preferred640 ?? ad.mediaFile?.playable[0],
    preferred1280: ad.mediaFile?.preferred1280 ?? ad.mediaFile?.playable[0],
  };
}

function checkAd(actual: AdResult, wanted: ExpectedAd): void {
  if (wanted.error === undefined) {
    if (actual.outcome !== "play") expect.fail(`${wanted.id}: ${actual.code} ${actual.reason}`);
    expect(comparable(actual)).toEqual(expected(wanted));
    return;
  }
  if (actual.outcome !== "error") expect.fail(`${wanted.id} was to fail with ${wanted.error}`);
  expect(actual.code).toBe(wanted.error);
  expect(actual.id).toBe(wanted.id ?? null);
  expect(actual.wrapperCount).toBe(wanted.wrapperCount ?? 0);
  expect(sorted(actual.errorUrls)).toEqual(
    sorted([...(wanted.errorUrls ?? []), ...(wanted.rootErrorUrls ?? [])]),
  );
}

async function expectCase(folder: string, one: Case): Promise<void> {
  const { load, requested } = createLoader(folder, one);
  const options = { load, parseXml, canPlay };
  const result = await resolveVast(addressOf(one), { ...options, resolvesAll: true });
  const wanted = one.expect;

  if (wanted.ads === undefined || wanted.ads.length === 0) {
    expect(result.ads).toEqual([]);
    if (wanted.outcome === "no-ad") expect(result.documentFailure).toBeNull();
    else expect(result.documentFailure?.code).toBe(wanted.error);
    expect(sorted(result.rootErrorUrls)).toEqual(sorted(wanted.rootErrorUrls));
    return;
  }

  expect(result.ads.map((ad) => ad.id)).toEqual(wanted.ads.map((ad) => ad.id ?? null));
  for (const [index, ad] of wanted.ads.entries()) {
    const actual = result.ads[index];
    if (actual !== undefined) checkAd(actual, ad);
    for (const url of ad.mustNotRequest ?? []) expect(requested).not.toContain(url);
  }

  const choice = chooseForSlot(result.ads);
  if (wanted.outcome === "error") {
    expect(choice.play).toBeNull();
    expect(choice.failed).toHaveLength(wanted.ads.length);
    expect([wanted.error, ...(wanted.errorAccept ?? [])]).toContain(choice.failed[0]?.code);
    return;
  }
  const playable = wanted.ads.filter(({ error }) => error === undefined);
  const allowed = wanted.anyOneOf ?? wanted.singleSlotPlay ?? playable.map(({ id }) => id ?? null);
  expect(allowed).toContain(choice.play?.id);
  const needed = await resolveVast(addressOf(one), options);
  expect(allowed).toContain(chooseForSlot(needed.ads).play?.id);
}

describe("our VAST documents", () => {
  test.each(readCases(fixtures).map((one) => [nameOf(one), one] as const))("%s", (_id, one) =>
    expectCase(fixtures, one),
  );
});

/** Ways in which an ad network's document can be malformed. */
const damages: Record<string, (text: string) => string> = {
  "cut off": (text) => text.slice(0, text.length / 2),
  "cut off near its end": (text) => text.slice(0, -12),
  "in front of another document": (text) => text + text,
  "without attributes": (text) => text.replace(/ [\w:-]+="[^"]*"/g, ""),
  "without CDATA": (text) => text.replace(/<!\[CDATA\[|\]\]>/g, ""),
  "with nonsense for numbers": (text) => text.replace(/\d/g, "x"),
  "with negative numbers": (text) => text.replace(/(?<=["\s>])\d/g, "-9"),
  "with scripts for addresses": (text) =>
    text.replace(/https?:\/\/[^\s<"\]]+/g, "javascript:alert(1)"),
  "with markup in its texts": (text) =>
    text.replace(
      /(<(AdTitle|AdSystem|Description)[^>]*>)[^<]*/g,
      "$1&lt;script&gt;alert(1)&lt;/script&gt;",
    ),
  "with an entity that expands": (text) =>
    text.replace(/<VAST/, '<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;">]>\n<VAST'),
};

describe("a damaged document", () => {
  const texts = readCases(fixtures);
  test.each(Object.entries(damages))(
    "%s ends the chain or plays a valid ad",
    async (_name, damage) => {
      for (const one of texts) {
        const { load } = createLoader(fixtures, one);
        const loadDamaged: LoadVast = async (...args) => {
          const response = await load(...args);
          return response.ok ? { ...response, text: damage(response.text) } : response;
        };
        const result = await resolveVast(addressOf(one), { load: loadDamaged, parseXml, canPlay });
        for (const ad of result.ads) {
          if (ad.outcome !== "play") continue;
          expect([nameOf(one), ad.mediaFiles.length > 0]).toEqual([nameOf(one), true]);
          const addresses = [
            ...ad.mediaFiles.map(({ url }) => url),
            ...ad.impressions,
            ...ad.clickTracking,
            ...ad.errorUrls,
            ...[...ad.tracking.values()].flat(),
            ...(ad.clickThrough === null ? [] : [ad.clickThrough]),
          ];
          expect(addresses.filter((url) => /^\s*javascript:/i.test(url))).toEqual([]);
          expect([nameOf(one), ad.durationS === null || ad.durationS >= 0]).toEqual([
            nameOf(one),
            true,
          ]);
        }
      }
    },
  );

  test("stops at a wrapper that refers to itself", async () => {
    const url = "http://vast.test/loop";
    const text = `<VAST version="4.2"><Ad><Wrapper><AdSystem>x</AdSystem><Error>http://vast.test/e</Error><VASTAdTagURI>${url}</VASTAdTagURI></Wrapper></Ad></VAST>`;
    let loads = 0;
    const load: LoadVast = async () => {
      loads += 1;
      return { ok: true, text };
    };
    const { ads } = await resolveVast(url, { load, parseXml, canPlay });
    expect(ads.map((ad) => ad.outcome === "error" && ad.code)).toEqual([302]);
    expect(loads).toBeLessThanOrEqual(8);
  });
});

const corpus = findCorpus("vast");
describe.skipIf(corpus === null)("the external corpus of VAST documents (KINORA_CORPUS)", () => {
  const cases = corpus === null ? [] : readCases(corpus);
  test("has 48 cases", () => expect(cases).toHaveLength(48));
  test.each(cases.map((one) => [nameOf(one), one] as const))("%s", (_id, one) =>
    expectCase(corpus ?? "", one),
  );
});
