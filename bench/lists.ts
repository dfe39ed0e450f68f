import { parseArgs } from "node:util";
import { z } from "zod";
import { labelItem, type LabelItem } from "#contract/lists/labels.ts";
import { videoList } from "#contract/videos/videos.ts";
import type { BenchTable } from "./support/bench-table.ts";
import { keptCatalogue, limitP95Ms } from "./support/kept-catalogue.ts";
import { startSite } from "#test/harness/server-process.ts";
import { percentile } from "./support/visit.ts";

interface Call {
  name: string;
  /** Uses one address per number, so that consecutive requests differ. */
  path: (n: number) => string;
}

/**
 * Measures every public list, search, related and statistics call over HTTP, one after another,
 * with the response cache off: `npm run bench -- lists [--videos 100000,1000000] [--runs 200]
 * [--only TEXT]`. The generated catalogues stay in the temporary folder for the next run.
 */
export async function run(args: string[]): Promise<BenchTable> {
  const { values } = parseArgs({
    args,
    options: {
      videos: { type: "string", default: "100000" },
      runs: { type: "string", default: "200" },
      /** Only calls whose name contains this text. */
      only: { type: "string", default: "" },
    },
  });
  const rows: (string | number)[][] = [];
  for (const videos of values.videos.split(",")) {
    const limitMs = limitP95Ms(videos);
    for (const [name, times] of await measureSite(videos, Number(values.runs), values.only)) {
      const p95 = percentile(times, 95);
      const held = p95 <= limitMs ? "yes" : "NO";
      rows.push([videos, name, percentile(times, 50), p95, Math.max(...times), limitMs, held]);
    }
  }
  return {
    title: "Lists, search and statistics, response cache off",
    columns: ["videos", "call", "p50 ms", "p95 ms", "slowest ms", "p95 limit", "held"],
    rows,
    isPartial: values.only !== "",
    notes: [
      `Over HTTP, one request after another, ${values.runs} each after 20 to warm up, whole response read.`,
      "Labels, words and videos change from request to request.",
    ],
  };
}

/** Returns the times in ms by call. */
async function measureSite(
  videos: string,
  runs: number,
  only: string,
): Promise<Map<string, number[]>> {
  const dataDir = await keptCatalogue(videos);
  const site = await startSite({ dataDir, env: { RESPONSE_CACHE: "0" } });
  try {
    const calls = (await listCalls(site.url)).filter(({ name }) => name.includes(only));
    // A server that has just started is slow for its first few hundred requests.
    for (const call of calls) await measure(site.url, call, 20);
    const measured = new Map<string, number[]>();
    for (const call of calls) measured.set(call.name, await measure(site.url, call, runs));
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

  const list = (name: string, query: (n: number) => string): Call => ({
    name,
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
    list("search, one word", (n) => `search=${encodeURIComponent(word(n))}`),
    list("search, one letter", (n) => `search=${"abcdefghiklmnoprstw"[n % 19]}`),
    list("search, beginning of a word", (n) => `search=${encodeURIComponent(word(n).slice(0, 3))}`),
    list("search, two words", (n) => `search=${twoWords(n)}`),
    list("search, an actor", (n) => `search=${encodeURIComponent(pick(actors, n).name)}`),
    list("search, a typo", (n) => `search=${encodeURIComponent(swap(word(n)))}`),
    list("search, nothing like it", (n) => `search=qxzv${n}w`),
    list(
      "search, 200 letters",
      (n) => `search=${encodeURIComponent(`${word(n)} `.repeat(40).slice(0, 200))}`,
    ),
    list(
      "search in a category",
      (n) => `search=${encodeURIComponent(word(n))}&category=${slug(categories, n)}`,
    ),
    list("search, most viewed", (n) => `search=${encodeURIComponent(word(n))}&sort=most_viewed`),
    list(
      "search in a tag, newest",
      (n) => `search=${encodeURIComponent(word(n))}&tag=${slug(tags, n)}&sort=newest`,
    ),
    {
      name: "suggestions, one letter",
      path: (n) => `/api/search/suggest?q=${"abcdefghiklmnoprstw"[n % 19]}`,
    },
    {
      name: "suggestions, three letters",
      path: (n) => `/api/search/suggest?q=${encodeURIComponent(word(n).slice(0, 3))}`,
    },
    {
      name: "suggestions, two words",
      path: (n) => `/api/search/suggest?q=${twoWords(n)}`,
    },
    {
      name: "suggestions, a typo",
      path: (n) => `/api/search/suggest?q=${encodeURIComponent(swap(word(n)))}`,
    },
    {
      name: "related, much watched",
      path: (n) => `/api/videos/${pick(hot.videos, n).slug}/related`,
    },
    {
      name: "related, others",
      path: (n) => `/api/videos/${pick(fresh.videos, n).id}/related`,
    },
    {
      name: "one video",
      path: (n) => `/api/videos/${pick(fresh.videos, n).slug}`,
    },
    {
      name: "why a video ranks where it does",
      path: (n) =>
        `/api/videos/${pick(fresh.videos, n).slug}/why?sort=${pick(["newest", "most_viewed", "top_rated", "trending"], n)}`,
    },
  );
  for (const range of ["today", "week", "month", "all"]) {
    calls.push({
      name: `statistics, ${range}`,
      path: () => `/api/trending/stats?timeRange=${range}`,
    });
  }
  for (const kind of ["categories", "tags", "actors"]) {
    calls.push({ name: `all ${kind}`, path: () => `/api/${kind}` });
  }
  return calls;
}
