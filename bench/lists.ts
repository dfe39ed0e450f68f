import type { Given } from "#server/lib/command-line.mjs";
import { z } from "zod";
import { labelItem, type LabelItem } from "#contract/lists/labels.ts";
import { videoList } from "#contract/videos/videos.ts";
import { startSite } from "#test/harness/server-process.ts";
import { keptCatalogue, limitP95Ms } from "./seed.ts";
import type { BenchTable } from "./support/bench-table.ts";
import { percentile } from "./support/visit.ts";

/** Returns the address of the n-th request, so that consecutive requests differ. */
type PathOf = (n: number) => string;

export const options = {
  videos: { value: "COUNT,...", help: "sizes of the catalogue, by default 100000" },
  runs: { value: "COUNT", help: "requests per call, by default 200" },
  only: { value: "TEXT", help: "only calls whose name contains it" },
};

/**
 * Measures every public list, search, related and statistics call over HTTP, one after another,
 * with the response cache off: `npm run bench -- lists [--videos 100000,1000000] [--runs 200]
 * [--only TEXT]`.
 */
export async function run(given: Given): Promise<BenchTable> {
  const values = { videos: "100000", runs: "200", only: "", ...given.values };
  const rows = new Map<string, (string | number)[]>();
  const sizes = values.videos.split(",");
  for (const videos of sizes) {
    const limitMs = limitP95Ms(videos);
    const dataDir = await keptCatalogue(videos);
    const site = await startSite({ dataDir, env: { RESPONSE_CACHE: "0" } });
    try {
      const all = Object.entries(await listCalls(site.url));
      const calls = all.filter(([name]) => name.includes(values.only));
      // A server that has just started is slow for its first few hundred requests.
      for (const [, pathOf] of calls) await measure(site.url, pathOf, 20);
      for (const [name, pathOf] of calls) {
        const times = await measure(site.url, pathOf, Number(values.runs));
        const p95 = percentile(times, 95);
        const held = p95 <= limitMs ? "yes" : "NO";
        const cells = [percentile(times, 50), p95, Math.max(...times), held];
        rows.set(name, [...(rows.get(name) ?? [name]), ...cells]);
      }
    } finally {
      await site.stop();
    }
  }
  return {
    title: "Lists, search and statistics, response cache off",
    columns: ["call", ...columnsBySize(sizes, ["p50 ms", "p95 ms", "slowest ms"])],
    rows: [...rows.values()],
    isPartial: values.only !== "",
    notes: [
      `Over HTTP, one request after another, ${values.runs} each after 20 to warm up, whole response read.`,
      "Labels, words and videos change from request to request.",
    ],
  };
}

/** Returns the headings of figures for each size of the catalogue, and of their limit. */
export const columnsBySize = (sizes: readonly string[], figures: readonly string[]): string[] =>
  sizes.flatMap((videos) => [
    ...figures.map((figure, at) => (at === 0 ? `${videos} videos: ${figure}` : figure)),
    `p95 at most ${limitP95Ms(videos)}`,
  ]);

/** Returns the times of requests in ms, one after another. */
export async function measure(url: string, pathOf: PathOf, runs: number): Promise<number[]> {
  const times: number[] = [];
  for (let n = -20; n < runs; n += 1) {
    const startedAt = performance.now();
    const response = await fetch(url + pathOf(Math.abs(n)));
    await response.arrayBuffer();
    if (response.status !== 200) throw new Error(`${pathOf(Math.abs(n))}: ${response.status}`);
    if (n >= 0) times.push(performance.now() - startedAt);
  }
  return times;
}

/** Returns the measured calls by name. */
export async function listCalls(url: string): Promise<Record<string, PathOf>> {
  const read = async <T>(path: string, schema: z.ZodType<T>): Promise<T> =>
    schema.parse(await (await fetch(url + path)).json());
  const labels = async (kind: string) =>
    (await read(`/api/${kind}`, z.array(labelItem)))
      .filter((item) => item.videoCount > 0)
      .toSorted((a, b) => b.videoCount - a.videoCount);
  const [categories, tags, actors] = await Promise.all([
    labels("categories"),
    labels("tags"),
    labels("actors"),
  ]);
  const few = [...tags, ...actors].toSorted((a, b) => a.videoCount - b.videoCount).slice(0, 200);
  const hot = await read("/api/videos?sort=most_viewed&limit=100", videoList);
  const page = (query: string, offset: number) =>
    read(`/api/videos?limit=100&offset=${Math.min(offset, hot.total >> 1)}${query}`, videoList);
  const fresh = await page("", 5000);
  const deep = await page("&sort=trending", 20_000);

  const pick = <T>(list: readonly T[], n: number): T => {
    const item = list[n % list.length];
    if (item === undefined) throw new Error("the catalogue is empty");
    return item;
  };
  const slug = (list: readonly LabelItem[], n: number) => pick(list, n).slug;
  const letter = (n: number) => pick([..."abcdefghiklmnoprstw"], n);
  const word = (n: number) =>
    pick(hot.videos, n)
      .title.split(/[^\p{L}]+/u)
      .find((each) => each.length > 4) ?? "morning";
  const twoWords = (n: number) => pick(fresh.videos, n).title.split(" ").slice(0, 2).join(" ");
  const typo = (n: number) => word(n).replace(/^(..)(.)(.)/, "$1$3$2");

  const calls: Record<string, PathOf> = {};
  const list = (name: string, query: PathOf) => {
    calls[name] = (n) => `/api/videos?${query(n)}`;
  };
  const size = (n: number) => `limit=${12 + (n % 3)}`;
  list("newest", size);
  list("newest, by cursor", (n) => `${size(n)}&cursor=${fresh.nextCursor ?? ""}`);
  list("newest, offset up to 5,000", (n) => `offset=${(n * 25) % Math.min(5000, hot.total)}`);
  list("trending, by cursor, deep", () => `sort=trending&cursor=${deep.nextCursor ?? ""}`);
  for (const sort of ["most_viewed", "top_rated", "trending"]) {
    list(sort, (n) => `sort=${sort}&${size(n)}`);
  }
  for (const range of ["today", "week", "month", "all"]) {
    for (const sort of ["most_viewed", "trending"]) {
      list(`${sort}, ${range}`, (n) => `sort=${sort}&timeRange=${range}&${size(n)}`);
    }
    calls[`statistics, ${range}`] = () => `/api/trending/stats?timeRange=${range}`;
  }
  const category: PathOf = (n) => `category=${slug(categories, n)}`;
  const tag: PathOf = (n) => `tag=${slug(tags, n)}`;
  const actor: PathOf = (n) => `actor=${slug(actors, n)}`;
  const rare: PathOf = (n) => `${actors.includes(pick(few, n)) ? "actor" : "tag"}=${slug(few, n)}`;
  for (const sort of ["newest", "most_viewed", "top_rated", "trending"]) {
    list(`a category, ${sort}`, (n) => `${category(n)}&sort=${sort}`);
    list(`a tag, ${sort}`, (n) => `${tag(n)}&sort=${sort}`);
    list(`a tag or actor with few, ${sort}`, (n) => `${rare(n)}&sort=${sort}`);
  }
  const thisWeek = "sort=trending&timeRange=week";
  list("a category, trending this week", (n) => `${category(n)}&${thisWeek}`);
  list("a category, page 20", (n) => `${category(n)}&sort=trending&offset=240`);
  list("an actor, trending today", (n) => `${actor(n)}&sort=trending&timeRange=today`);
  list("a category and a tag", (n) => `${category(n)}&${tag(n)}`);
  list(
    "a category, a tag and an actor, trending",
    (n) => `${category(n)}&${tag(n)}&${actor(n)}&sort=trending`,
  );

  const search = (name: string, text: PathOf, more: PathOf = () => "") =>
    list(name, (n) => `search=${encodeURIComponent(text(n))}${more(n)}`);
  search("search, one word", word);
  search("search, one letter", letter);
  search("search, beginning of a word", (n) => word(n).slice(0, 3));
  search("search, two words", twoWords);
  search("search, an actor", (n) => pick(actors, n).name);
  search("search, a typo", typo);
  search("search, nothing like it", (n) => `qxzv${n}w`);
  search("search, 200 letters", (n) => `${word(n)} `.repeat(40).slice(0, 200));
  search("search in a category", word, (n) => `&${category(n)}`);
  search("search, most viewed", word, () => "&sort=most_viewed");
  search("search in a tag, newest", word, (n) => `&${tag(n)}&sort=newest`);
  const suggest = (name: string, text: PathOf) => {
    calls[`suggestions, ${name}`] = (n) => `/api/search/suggest?q=${encodeURIComponent(text(n))}`;
  };
  suggest("one letter", letter);
  suggest("three letters", (n) => word(n).slice(0, 3));
  suggest("two words", twoWords);
  suggest("a typo", typo);

  calls["related, much watched"] = (n) => `/api/videos/${pick(hot.videos, n).slug}/related`;
  calls["related, others"] = (n) => `/api/videos/${pick(fresh.videos, n).id}/related`;
  calls["one video"] = (n) => `/api/videos/${pick(fresh.videos, n).slug}`;
  const sorts = ["newest", "most_viewed", "top_rated", "trending"];
  calls["why a video ranks where it does"] = (n) =>
    `/api/videos/${pick(fresh.videos, n).slug}/why?sort=${pick(sorts, n)}`;
  for (const kind of ["categories", "tags", "actors"]) calls[`all ${kind}`] = () => `/api/${kind}`;
  return calls;
}
