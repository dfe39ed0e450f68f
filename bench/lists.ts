import { parseArgs } from "node:util";
import { z } from "zod";
import { labelItem, type LabelItem } from "#contract/lists/labels.ts";
import { videoList } from "#contract/videos/videos.ts";
import type { BenchTable } from "./support/bench-table.ts";
import { keptCatalogue } from "./support/kept-catalogue.ts";
import { startSite } from "#test/harness/server-process.ts";
import { percentile } from "./support/visit.ts";

/** Limits for the 95th percentile in milliseconds: lists, and calls that search. */
const listMs = 10;
const searchMs = 20;
/** Maximum time for a large catalogue, as a factor of the baseline. */
const maxGrowth = 4;

interface Call {
  name: string;
  limitMs: number;
  /** Uses one address per number, so that consecutive requests differ. */
  path: (n: number) => string;
}

/**
 * Measures every public list, search, related and statistics call over HTTP, one after another, on
 * a large generated catalogue with the response cache off. Then measures a small catalogue in the
 * same way: `npm run bench -- lists [--videos 100000] [--baseline 1000] [--runs 200] [--only
 * TEXT]`. The catalogue stays in the temporary folder for the next run.
 */
export async function run(args: string[]): Promise<BenchTable> {
  const { values } = parseArgs({
    args,
    options: {
      videos: { type: "string", default: "100000" },
      /** Number of videos in the catalogue used for comparison. */
      baseline: { type: "string", default: "1000" },
      runs: { type: "string", default: "200" },
      /** Only calls whose name contains this text. */
      only: { type: "string", default: "" },
      "data-dir": { type: "string" },
    },
  });
  const measured = { runs: Number(values.runs), only: values.only };
  const small = await measureSite(values.baseline, undefined, measured);
  const large = await measureSite(values.videos, values["data-dir"], measured);
  const rows = [...large].map(([name, { times, limitMs }]) => {
    const before = small.get(name)?.times ?? [];
    const p50 = percentile(times, 50);
    const p95 = percentile(times, 95);
    const growth = p50 / percentile(before, 50);
    const isKept = p95 <= limitMs && growth <= maxGrowth;
    return [
      name,
      percentile(before, 50),
      percentile(before, 95),
      p50,
      p95,
      Math.max(...times),
      growth,
      limitMs,
      isKept ? "yes" : "NO",
    ];
  });
  return {
    title: `Lists, search and statistics with ${values.videos} videos, response cache off`,
    columns: [
      "call",
      `p50 ms, ${values.baseline}`,
      "p95 ms",
      `p50 ms, ${values.videos}`,
      "p95 ms",
      "slowest ms",
      "growth of p50",
      "limit for p95",
      "kept",
    ],
    rows,
    isPartial: values.only !== "",
    notes: [
      `Over HTTP, one request after another, ${values.runs} each after 20 to warm up, whole response read.`,
      "Labels, words and videos change from request to request.",
      `Kept: p95 within the limit, and p50 at most ${maxGrowth} times that with ${values.baseline} videos.`,
    ],
  };
}

interface Measured {
  times: number[];
  limitMs: number;
}

async function measureSite(
  videos: string,
  folder: string | undefined,
  { runs, only }: { runs: number; only: string },
): Promise<Map<string, Measured>> {
  const dataDir = folder ?? (await keptCatalogue(videos));
  const site = await startSite({ dataDir, env: { RESPONSE_CACHE: "0" } });
  try {
    const calls = (await listCalls(site.url)).filter(({ name }) => name.includes(only));
    // A server that has just started is slow for its first few hundred requests.
    for (const call of calls) await measure(site.url, call, 20);
    const measured = new Map<string, Measured>();
    for (const call of calls) {
      const times = await measure(site.url, call, runs);
      measured.set(call.name, { times, limitMs: call.limitMs });
    }
    return measured;
  } finally {
    await site.stop();
  }
}

async function measure(url: string, call: Call, runs: number): Promise<number[]> {
  const times: number[] = [];
  for (let n = -20; n < runs; n += 1) {
    const startedAt = performance.now();
    const response = await fetch(url + call.path(Math.abs(n)));
    await response.arrayBuffer();
    if (response.status !== 200)
      throw new Error(`${call.path(Math.abs(n))} returned ${response.status}`);
    if (n >= 0) times.push(performance.now() - startedAt);
  }
  return times;
}

const read = async <T>(url: string, schema: z.ZodType<T>): Promise<T> =>
  schema.parse(await (await fetch(url)).json());

async function listCalls(url: string): Promise<Call[]> {
  const labels = async (kind: string) =>
    (await read(`${url}/api/${kind}`, z.array(labelItem)))
      .filter((item) => item.videoCount > 0)
      .toSorted((a, b) => b.videoCount - a.videoCount);
  const [categories, tags, actors] = await Promise.all([
    labels("categories"),
    labels("tags"),
    labels("actors"),
  ]);
  const hot = await read(`${url}/api/videos?sort=most_viewed&limit=100`, videoList);
  const { total } = hot;
  const page = (query: string, offset: number) =>
    read(`${url}/api/videos?limit=100&offset=${Math.min(offset, total >> 1)}${query}`, videoList);
  const fresh = await page("", 5000);
  const deep = await page("&sort=trending", 20_000);

  const pick = <T>(list: readonly T[], n: number): T => {
    const item = list[n % list.length];
    if (item === undefined) throw new Error("the catalogue is empty; seed it first");
    return item;
  };
  const slug = (list: LabelItem[], n: number) => pick(list, n).slug;
  const tiny = [...tags, ...actors].toSorted((a, b) => a.videoCount - b.videoCount).slice(0, 200);
  const word = (n: number) =>
    pick(hot.videos, n)
      .title.split(/[^\p{L}]+/u)
      .find((each) => each.length > 4) ?? "morning";
  const twoWords = (n: number) =>
    encodeURIComponent(pick(fresh.videos, n).title.split(" ").slice(0, 2).join(" "));
  const swap = (text: string) =>
    text.slice(0, 2) + (text[3] ?? "") + (text[2] ?? "") + text.slice(4);

  const list = (name: string, query: (n: number) => string, limit = listMs): Call => ({
    name,
    limitMs: limit,
    path: (n) => `/api/videos?${query(n)}`,
  });
  const calls: Call[] = [
    list("newest", (n) => `limit=${12 + (n % 3)}`),
    list("newest, by cursor", (n) => `limit=${12 + (n % 3)}&cursor=${fresh.nextCursor ?? ""}`),
    list("newest, offset up to 5,000", (n) => `offset=${(n * 25) % Math.min(5000, total)}`),
    list("trending, by cursor, deep", () => `sort=trending&cursor=${deep.nextCursor ?? ""}`),
  ];
  for (const sort of ["most_viewed", "top_rated", "trending"]) {
    calls.push(list(sort, (n) => `sort=${sort}&limit=${12 + (n % 3)}`));
  }
  for (const range of ["today", "week", "month", "all"]) {
    for (const sort of ["most_viewed", "trending"]) {
      calls.push(
        list(`${sort}, ${range}`, (n) => `sort=${sort}&timeRange=${range}&limit=${12 + (n % 3)}`),
      );
    }
  }
  for (const sort of ["newest", "most_viewed", "top_rated", "trending"]) {
    calls.push(
      list(`a category, ${sort}`, (n) => `category=${slug(categories, n)}&sort=${sort}`),
      list(`a tag, ${sort}`, (n) => `tag=${slug(tags, n)}&sort=${sort}`),
      list(
        `a tag or actor with few, ${sort}`,
        (n) => `${actors.includes(pick(tiny, n)) ? "actor" : "tag"}=${slug(tiny, n)}&sort=${sort}`,
      ),
    );
  }
  calls.push(
    list(
      "a category, trending this week",
      (n) => `category=${slug(categories, n)}&sort=trending&timeRange=week`,
    ),
    list("a category, page 20", (n) => `category=${slug(categories, n)}&sort=trending&offset=240`),
    list(
      "an actor, trending today",
      (n) => `actor=${slug(actors, n)}&sort=trending&timeRange=today`,
    ),
    list("a category and a tag", (n) => `category=${slug(categories, n)}&tag=${slug(tags, n)}`),
    list(
      "a category, a tag and an actor, trending",
      (n) =>
        `category=${slug(categories, n)}&tag=${slug(tags, n)}&actor=${slug(actors, n)}&sort=trending`,
    ),
    list("search, one word", (n) => `search=${encodeURIComponent(word(n))}`, searchMs),
    list("search, one letter", (n) => `search=${"abcdefghiklmnoprstw"[n % 19]}`, searchMs),
    list(
      "search, beginning of a word",
      (n) => `search=${encodeURIComponent(word(n).slice(0, 3))}`,
      searchMs,
    ),
    list("search, two words", (n) => `search=${twoWords(n)}`, searchMs),
    list("search, an actor", (n) => `search=${encodeURIComponent(pick(actors, n).name)}`, searchMs),
    list("search, a typo", (n) => `search=${encodeURIComponent(swap(word(n)))}`, searchMs),
    list("search, nothing like it", (n) => `search=qxzv${n}w`, searchMs),
    list(
      "search, 200 letters",
      (n) => `search=${encodeURIComponent(`${word(n)} `.repeat(40).slice(0, 200))}`,
      searchMs,
    ),
    list(
      "search in a category",
      (n) => `search=${encodeURIComponent(word(n))}&category=${slug(categories, n)}`,
      searchMs,
    ),
    list(
      "search, most viewed",
      (n) => `search=${encodeURIComponent(word(n))}&sort=most_viewed`,
      searchMs,
    ),
    list(
      "search in a tag, newest",
      (n) => `search=${encodeURIComponent(word(n))}&tag=${slug(tags, n)}&sort=newest`,
      searchMs,
    ),
    {
      name: "suggestions, one letter",
      limitMs: searchMs,
      path: (n) => `/api/search/suggest?q=${"abcdefghiklmnoprstw"[n % 19]}`,
    },
    {
      name: "suggestions, three letters",
      limitMs: searchMs,
      path: (n) => `/api/search/suggest?q=${encodeURIComponent(word(n).slice(0, 3))}`,
    },
    {
      name: "suggestions, two words",
      limitMs: searchMs,
      path: (n) => `/api/search/suggest?q=${twoWords(n)}`,
    },
    {
      name: "suggestions, a typo",
      limitMs: searchMs,
      path: (n) => `/api/search/suggest?q=${encodeURIComponent(swap(word(n)))}`,
    },
    {
      name: "related, much watched",
      limitMs: searchMs,
      path: (n) => `/api/videos/${pick(hot.videos, n).slug}/related`,
    },
    {
      name: "related, others",
      limitMs: searchMs,
      path: (n) => `/api/videos/${pick(fresh.videos, n).id}/related`,
    },
    {
      name: "one video",
      limitMs: listMs,
      path: (n) => `/api/videos/${pick(fresh.videos, n).slug}`,
    },
    {
      name: "why a video ranks where it does",
      limitMs: listMs,
      path: (n) =>
        `/api/videos/${pick(fresh.videos, n).slug}/why?sort=${pick(["newest", "most_viewed", "top_rated", "trending"], n)}`,
    },
  );
  for (const range of ["today", "week", "month", "all"]) {
    calls.push({
      name: `statistics, ${range}`,
      limitMs: listMs,
      path: () => `/api/trending/stats?timeRange=${range}`,
    });
  }
  for (const kind of ["categories", "tags", "actors"]) {
    calls.push({ name: `all ${kind}`, limitMs: listMs, path: () => `/api/${kind}` });
  }
  return calls;
}
