import { Agent } from "node:http";
import { z } from "zod";
import { createRandom } from "#test/reference/random.ts";
import { browserAgent, callOver } from "#test/harness/http-call.ts";

export interface SoakLoad {
  /** Returns the figures since the last call. */
  take(): { requests: number; failures: number; timesMs: number[] };
  /** Number of failures, by request and status. */
  failed: ReadonlyMap<string, number>;
  stop(): Promise<void>;
}

interface Visitor {
  cookie: string;
  address: string;
  feedCursor: string | null;
}

const feedPage = z.object({ nextCursor: z.string().nullable() });
const adPage = z.object({ ads: z.array(z.object({ id: z.string() })), serve: z.string() });

const words = ["sea", "city night", "slow river", "harbor", "wild", "drone travel", "morning"];
/**
 * Number of concurrent visitors. A new one replaces the oldest. A visitor returns only with a
 * cookie, because two concurrent calls without one would get two cookies.
 */
const visitorsAtOnce = 2000;

/** Simulates visitors of every kind at a steady rate until stopped. */
export function startSoakLoad(
  url: string,
  perS: number,
  site: { slugs: string[]; ids: string[]; files: string[] },
): SoakLoad {
  const random = createRandom(7);
  const agent = new Agent({ keepAlive: true, maxSockets: 200 });
  const visitors: Visitor[] = [];
  const failed = new Map<string, number>();
  let [requests, failures] = [0, 0];
  let timesMs: number[] = [];

  async function call(
    visitor: Visitor,
    method: "GET" | "POST",
    path: string,
    options: { body?: object; range?: string; expects?: number } = {},
  ): Promise<string> {
    const { body, range, expects } = options;
    const startedAt = performance.now();
    const { status, text, cookie } = await callOver(agent, url + path, {
      method,
      headers: {
        "user-agent": browserAgent,
        // Requests uncompressed bodies if the bench parses them.
        "accept-encoding": /^\/api\/(feed|spots)/.test(path) ? "identity" : "br, gzip",
        "x-forwarded-for": visitor.address,
        ...(visitor.cookie === "" ? {} : { cookie: visitor.cookie }),
        ...(range === undefined ? {} : { range }),
      },
      body,
    });
    timesMs.push(performance.now() - startedAt);
    requests += 1;
    if (cookie !== undefined && visitor.cookie === "") {
      visitor.cookie = cookie;
      visitors.push(visitor);
      if (visitors.length > visitorsAtOnce) visitors.shift();
    }
    if (expects === undefined ? status < 200 || status > 299 : status !== expects) {
      failures += 1;
      const what = `${status} ${method} ${path.replace(/[0-9a-f-]{36}|(?<=video.?\/)[^/?]+/, "ID").split("?")[0]}`;
      failed.set(what, (failed.get(what) ?? 0) + 1);
    }
    return text;
  }

  function drawVisitor(): Visitor {
    if (visitors.length > 0 && random.next() >= 0.1) return random.pick(visitors);
    const part = () => random.below(256);
    const address = `${1 + random.below(200)}.${part()}.${part()}.${part()}`;
    return { cookie: "", address, feedCursor: null };
  }

  async function openPage(visitor: Visitor): Promise<void> {
    const slug = random.pick(site.slugs);
    const search = `/home?sort=top_rated&search=${encodeURIComponent(random.pick(words))}`;
    const path = random.pick([
      ...["/", "/home", "/trending", "/categories", "/tags", `/video/${slug}`, `/video/${slug}`],
      ...[search, `/home?unknown=${random.below(1e9)}`, "/robots.txt", "/sitemap.xml"],
    ]);
    await call(visitor, "GET", path);
    if (random.next() < 0.05)
      await call(visitor, "GET", `/nowhere/${random.below(1e9)}`, { expects: 404 });
  }

  async function readList(visitor: Visitor): Promise<void> {
    const video = `/api/videos/${random.pick(site.slugs)}`;
    const word = encodeURIComponent(random.pick(words).slice(0, 2 + random.below(10)));
    const path = random.pick([
      "/api/videos?limit=12",
      `/api/videos?sort=trending&timeRange=week&offset=${random.below(40)}`,
      `/api/videos?search=${word}&limit=${1 + random.below(40)}`,
      ...[`/api/search/suggest?q=${word}`, video, `${video}/related`, `${video}/like`],
      ...["/api/trending/stats?timeRange=week", "/api/categories", "/api/settings/public"],
    ]);
    await call(visitor, "GET", path);
  }

  async function watchFeed(visitor: Visitor): Promise<void> {
    const chance = random.next();
    const id = random.pick(site.ids);
    if (chance < 0.4) {
      const cursor = encodeURIComponent(visitor.feedCursor ?? "");
      const more = cursor === "" ? "" : `&cursor=${cursor}`;
      const text = await call(visitor, "GET", `/api/feed?limit=5${more}`);
      const isPage = text.startsWith("{");
      visitor.feedCursor = isPage ? feedPage.parse(JSON.parse(text)).nextCursor : null;
    } else if (chance < 0.9) {
      const body = { watchTime: random.below(30), completed: random.next() < 0.3 };
      await call(visitor, "POST", `/api/videos/${id}/watch`, { body });
    } else await call(visitor, "POST", `/api/videos/${id}/like`);
  }

  async function seeAdsAndMedia(visitor: Visitor): Promise<void> {
    if (random.next() < 0.5) {
      const start = random.below(7) * 1024 * 1024;
      const range = `bytes=${start}-${start + 256 * 1024 - 1}`;
      await call(visitor, "GET", random.pick(site.files), { range, expects: 206 });
      return;
    }
    const text = await call(visitor, "GET", "/api/spots/public?placement=header&limit=1");
    if (!text.startsWith("{")) return;
    const { ads, serve } = adPage.parse(JSON.parse(text));
    const [ad] = ads;
    if (ad === undefined) return;
    const body = { serve, placement: "header" };
    await call(visitor, "POST", `/api/spots/${ad.id}/impression`, { body });
  }

  const open = new Set<Promise<void>>();
  const startedAt = performance.now();
  let begun = 0;
  const timer = setInterval(() => {
    const due = ((performance.now() - startedAt) / 1000) * perS;
    for (; begun < due; begun += 1) {
      const act = random.pick([openPage, readList, watchFeed, seeAdsAndMedia]);
      const done: Promise<void> = act(drawVisitor()).finally(() => open.delete(done));
      open.add(done);
    }
  }, 5);

  return {
    failed,
    take() {
      const taken = { requests, failures, timesMs };
      [requests, failures, timesMs] = [0, 0, []];
      return taken;
    },
    async stop() {
      clearInterval(timer);
      await Promise.allSettled(open);
      agent.destroy();
    },
  };
}
