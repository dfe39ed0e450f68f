import { sql } from "kysely";
import { describe, expect, it } from "vitest";
import { watchBody } from "#contract/videos/videos.ts";
import { binCount } from "#contract/videos/watched-bins.ts";
import { createClient, useTestApp } from "#test/app.ts";
import { changeVideo, makeVideo } from "#test/factories/make-video.ts";
import { newId } from "#server/lib/ids.ts";
import { createWatchService } from "./watch.service.ts";
import { claimBins, formatBins, parseBins } from "./watched-bins.ts";
import { foldBins } from "./watched-bins.repository.ts";

let nowMs = Date.parse("2026-05-01T10:00:00Z");
const clock = { now: () => nowMs, date: () => new Date(nowMs) };
const app = useTestApp({ clock, env: { GEO_HEADER: "cf-ipcountry" } });

/** Returns the digits of a play that passed these parts; a part that is listed twice was replayed. */
function played(...ranges: readonly (readonly [number, number])[]): string {
  const bins = Array<number>(binCount).fill(0);
  for (const [from, to] of ranges) {
    for (let at = from; at < to; at += 1) bins[at] = (bins[at] ?? 0) + 1;
  }
  return formatBins(bins);
}

describe("packing", () => {
  it("packs two parts into a digit and back", () => {
    const bins = Array.from({ length: binCount }, (_, at) => (at * 7) % 4);
    expect(parseBins(formatBins(bins))).toEqual(bins);
    expect(formatBins(parseBins("4"))).toBe(`4${"0".repeat(49)}`);
    expect(parseBins("4").slice(0, 3)).toEqual([0, 1, 0]);
    expect(formatBins(parseBins(""))).toBe("");
  });

  it("adds at most 60 bytes to a report", () => {
    const report = { watchTime: 1234.56, completed: false, origin: "direct" };
    const bins = formatBins(Array<number>(binCount).fill(3));
    const size = (body: object) => Buffer.byteLength(JSON.stringify(body));
    expect(size({ ...report, bins }) - size(report)).toBeLessThanOrEqual(60);
    expect(watchBody.safeParse({ ...report, bins }).success).toBe(true);
  });

  it.each(["0".repeat(51), "g", "A", " "])("refuses %j", (bins) => {
    expect(watchBody.safeParse({ watchTime: 0, completed: false, bins }).success).toBe(false);
  });
});

describe("a claim", () => {
  const since = new Date(nowMs);
  const after = (s: number) => ({ durationS: 100, now: new Date(nowMs + s * 1000) });

  it("counts parts once, and further passes as replays", () => {
    const first = claimBins({ digits: "", since }, played([0, 50]), after(50));
    expect(first?.added.plays).toBe(1);
    expect(first?.added.watched.slice(48, 52)).toEqual([1, 1, 0, 0]);
    const known = { digits: first?.digits ?? "", since };
    expect(claimBins(known, played([0, 50]), after(50))).toBeNull();
    const second = claimBins(known, played([0, 60], [10, 20]), after(70));
    expect(second?.added.plays).toBe(0);
    expect(second?.added.watched.indexOf(1)).toBe(50);
    expect(second?.added.replayed.slice(8, 12)).toEqual([0, 0, 1, 1]);
  });

  it("is ignored beyond what can have been played", () => {
    expect(claimBins({ digits: "", since }, played([0, 100]), after(47))).toBeNull();
    expect(claimBins({ digits: "", since }, played([0, 100]), after(48))).not.toBeNull();
  });
});

/** Reads the stored sums of a video. */
async function readSums(videoId: string) {
  const { rows } = await sql<{ day: string; plays: number; watched: number[]; replayed: number[] }>`
    select day::text, plays, watched, replayed from video_bins where video_id = ${videoId}
    order by day`.execute(app.db);
  return rows;
}

const watch = (client: ReturnType<typeof createClient>, id: string, body: object) =>
  client.call("POST", `/api/videos/${id}/watch`, { watchTime: 0, completed: false, ...body });

describe("reports", () => {
  it("store the parts of a day once, however often they are repeated", async () => {
    const { id } = await makeVideo(app.db, { duration_s: 100 });
    const client = createClient(app.url);
    await watch(client, id, { bins: "" });
    expect(await readSums(id)).toEqual([]);
    nowMs += 30_000;
    for (let repeat = 0; repeat < 3; repeat += 1) {
      await watch(client, id, { watchTime: 30, bins: played([0, 30], [5, 10]) });
    }
    const [day, ...others] = await readSums(id);
    expect(others).toEqual([]);
    expect(day).toMatchObject({ day: "2026-05-01", plays: 1 });
    expect(day?.watched.reduce((sum, count) => sum + count, 0)).toBe(30);
    expect(day?.replayed.slice(4, 11)).toEqual([0, 1, 1, 1, 1, 1, 0]);
  });

  it("count exactly once if a process ends before its batch is durable and the player repeats", async () => {
    const { id: videoId } = await makeVideo(app.db, { duration_s: 100 });
    const visitorId = newId();
    let isLost = true;
    const service = createWatchService({
      db: app.db,
      clock,
      // The last statement before the commit.
      onViews: async () => {
        if (isLost) throw new Error("killed");
      },
    });
    const report = (watchTimeS: number, bins: string) =>
      service.report({
        ...{ visitorId, videoId, watchTimeS, isCompleted: false },
        ...{ addressKey: "one", addressGroup: "one" },
        audience: { bins, country: "DE", device: "tv" },
      });
    await expect(report(0, "5")).rejects.toThrow("killed");
    expect(await readSums(videoId)).toEqual([]);
    isLost = false;
    await report(0, "5");
    await report(0, "5");
    expect((await readSums(videoId))[0]).toMatchObject({ plays: 1 });
    expect((await readSums(videoId))[0]?.watched.slice(0, 3)).toEqual([1, 1, 0]);
    const { rows } = await sql`
      select sum(plays)::int as plays from video_sources
      where video_id = ${videoId} and kind = 'device'`.execute(app.db);
    expect(rows).toEqual([{ plays: 1 }]);
  });

  it("continue the play of a page that is open for longer than half an hour", async () => {
    const { id } = await makeVideo(app.db, { duration_s: 6000 });
    const client = createClient(app.url);
    await watch(client, id, { bins: "" });
    nowMs += 3_000_000;
    await watch(client, id, { watchTime: 3000, bins: played([0, 50]) });
    nowMs += 3_000_000;
    await watch(client, id, { watchTime: 6000, completed: true, bins: played([0, 100]) });
    const [day] = await readSums(id);
    expect(day?.plays).toBe(1);
    expect(new Set(day?.watched)).toEqual(new Set([1]));
    expect(new Set(day?.replayed)).toEqual(new Set([0]));
  });

  it("leave out plays that began before a cut", async () => {
    const { id } = await makeVideo(app.db, { duration_s: 100 });
    const client = createClient(app.url);
    await watch(client, id, { bins: "" });
    nowMs += 30_000;
    await watch(client, id, { watchTime: 30, bins: played([0, 30]) });
    await sql`delete from video_bins where video_id = ${id}`.execute(app.db);
    await changeVideo(app.db, id, { timing_since: new Date(nowMs), duration_s: 50 });
    nowMs += 30_000;
    await watch(client, id, { watchTime: 60, bins: played([0, 60]) });
    expect(await readSums(id)).toEqual([]);
    const later = createClient(app.url);
    await watch(later, id, { bins: "" });
    nowMs += 30_000;
    await watch(later, id, { watchTime: 30, bins: played([0, 60]) });
    expect(await readSums(id)).toMatchObject([{ plays: 1 }]);
    const admin = createClient(app.url, await app.signIn("ADMIN"));
    const { json } = await admin.call("GET", `/api/admin/videos/${id}/statistics`);
    expect(json).toMatchObject({ retentionPlays: 1 });
    expect(json.retention[6]).toBe(1);
    expect(json.retention[7]).toBe(0);
  });

  it("count nothing for visitors who opted out, and nothing impossible", async () => {
    const { id } = await makeVideo(app.db, { duration_s: 100 });
    const send = (headers: object) =>
      fetch(`${app.url}/api/videos/${id}/watch`, {
        method: "POST",
        headers: { "content-type": "application/json", ...headers },
        body: JSON.stringify({ watchTime: 0, completed: false, bins: "55" }),
      });
    expect((await send({ "sec-gpc": "1" })).status).toBe(202);
    expect((await send({ dnt: "1" })).status).toBe(202);
    const bot = createClient(app.url);
    await watch(bot, id, { watchTime: 100, completed: true, bins: played([0, 100]) });
    expect(await readSums(id)).toEqual([]);
    const { rows } = await sql`select kind from video_sources where video_id = ${id}`.execute(
      app.db,
    );
    expect(rows).toEqual([]);
  });

  it("count origins, countries and devices", async () => {
    const { id } = await makeVideo(app.db);
    const agents = [
      "Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) Mobile/15E148 Safari/604.1",
      "Mozilla/5.0 (Linux; Android 15; SM-X910) Chrome/130.0 Safari/537.36",
      "Mozilla/5.0 (Web0S; Linux/SmartTV) AppleWebKit/537.36 Chrome/94.0 Safari/537.36",
      "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 Chrome/130.0 Safari/537.36",
      "Googlebot/2.1 (+http://www.google.com/bot.html)",
    ];
    for (const [at, agent] of agents.entries()) {
      await fetch(`${app.url}/api/videos/${id}/watch`, {
        method: "POST",
        headers: {
          "content-type": "application/json",
          "user-agent": agent,
          "cf-ipcountry": at < 3 ? "de" : "XX",
        },
        body: JSON.stringify({ watchTime: 0, completed: false, origin: "search", bins: "" }),
      });
    }
    const { rows } = await sql<{ line: string }>`
      select concat_ws(' ', kind, name, plays) as line from video_sources
      where video_id = ${id} order by 1`.execute(app.db);
    // Programs have no device.
    expect(rows.map(({ line }) => line)).toEqual([
      "country DE 3",
      "device desktop 1",
      "device phone 1",
      "device tablet 1",
      "device tv 1",
      "origin search 5",
    ]);
  });

  it("show curves once 20 plays count", async () => {
    const { id } = await makeVideo(app.db, { duration_s: 100 });
    const admin = createClient(app.url, await app.signIn("ADMIN"));
    const service = createWatchService({ db: app.db, clock });
    const statistics = async () =>
      (await admin.call("GET", `/api/admin/videos/${id}/statistics`)).json;
    const plays = async (count: number) => {
      const viewers = Array.from({ length: count }, () => newId());
      const report = (bins: string) =>
        Promise.all(
          viewers.map((visitorId) =>
            service.report({
              ...{ visitorId, videoId: id, watchTimeS: 0, isCompleted: false },
              ...{ addressKey: visitorId, addressGroup: visitorId },
              audience: { bins, country: null, device: null },
            }),
          ),
        );
      await report("");
      nowMs += 60_000;
      await report(played([0, 50], [10, 20]));
    };
    await plays(19);
    expect(await statistics()).toMatchObject({ curve: { plays: 19, parts: null } });
    await plays(1);
    const { curve } = (await statistics()) as {
      curve: { plays: number; parts: { watching: number[]; replays: number[] } };
    };
    expect(curve.plays).toBe(20);
    expect(curve.parts.watching).toEqual(Array.from({ length: 100 }, (_, at) => (at < 50 ? 1 : 0)));
    expect(curve.parts.replays.indexOf(1)).toBe(10);
    const csv = await admin.call("GET", `/api/admin/videos/${id}/statistics.csv?table=curve`);
    expect(csv.text.split("\r\n").slice(0, 2)).toEqual([
      "from_percent,from_s,watching_percent,replaying_percent",
      "0,0.00,100.00,0.00",
    ]);
    const site = (await admin.call("GET", "/api/admin/statistics/audience")).json;
    expect(site).toMatchObject({ curve: { parts: { watching: expect.any(Array) } } });
    const siteLines = async (table: string): Promise<string[]> => {
      const { text } = await admin.call("GET", `/api/admin/statistics.csv?table=${table}`);
      return text.trim().split("\r\n");
    };
    const curveLines = await siteLines("curve");
    expect(curveLines[0]).toBe("from_percent,from_s,watching_percent,replaying_percent");
    expect(curveLines).toHaveLength(1 + binCount);
    expect((await siteLines("sources"))[0]).toBe("kind,name,plays");
    expect((await siteLines("days"))[0]).toBe("day,plays,watch_time_s");
    await sql`
      insert into site_sources (day, kind, name, plays)
      values (${new Date(nowMs)}::date - 10, 'country', 'JP', 3)`.execute(app.db);
    const country = "country,JP,3";
    expect(await siteLines("sources&days=11")).toContain(country);
    expect(await siteLines("sources&days=8")).not.toContain(country);
    expect(await siteLines("days&days=8")).toHaveLength(9);
    const tooMany = await admin.call("GET", "/api/admin/statistics.csv?days=91");
    expect(tooMany.status).toBe(400);
  });

  it("reveal the most replayed part only if the settings say so, and only if one stands out", async () => {
    const { id } = await makeVideo(app.db, { duration_s: 200 });
    const add = (video: string, from: number, to: number) =>
      sql`
      insert into video_bins (video_id, day, plays, watched, replayed)
      select ${video}, current_date, 40, array_agg(40),
        array_agg(case when n >= ${from}::int and n < ${to}::int then 20 else 1 end order by n)
      from generate_series(0, 99) n`.execute(app.db);
    await add(id, 60, 64);
    const peak = async (video: string) =>
      (await createClient(app.url).call("GET", `/api/videos/${video}/replays`)).json.peak;
    expect(await peak(id)).toBeNull();
    const admin = createClient(app.url, await app.signIn("ADMIN"));
    await admin.call("POST", "/api/settings", { replayPeak: true });
    await expect.poll(() => peak(id)).toEqual({ fromS: 120, toS: 128 });
    const even = await makeVideo(app.db, { duration_s: 200 });
    await add(even.id, 0, 100);
    expect(await peak(even.id)).toBeNull();
    const draft = await makeVideo(app.db, { is_published: false });
    const hidden = await createClient(app.url).call("GET", `/api/videos/${draft.id}/replays`);
    expect(hidden.status).toBe(404);
  });

  it("fold days that are too old into one row per video", async () => {
    const { id } = await makeVideo(app.db, { duration_s: 100 });
    const add = (day: string, counts: number) =>
      sql`
      insert into video_bins (video_id, day, plays, watched, replayed)
      select ${id}, ${day}::date, ${counts}, array_agg(${counts}::int), array_agg(1)
      from generate_series(1, 100)`.execute(app.db);
    for (const [at, day] of ["2025-01-01", "2025-01-02", "2025-02-01", "2026-02-01"].entries()) {
      await add(day, at + 1);
    }
    await foldBins(app.db, new Date("2025-02-01T00:00:00Z"));
    await foldBins(app.db, new Date("2025-02-02T00:00:00Z"));
    const rows = await readSums(id);
    expect(rows.map(({ day, plays }) => [day, plays])).toEqual([
      ["-infinity", 6],
      ["2026-02-01", 4],
    ]);
    expect(rows[0]?.watched).toEqual(Array<number>(100).fill(6));
    expect(rows[0]?.replayed).toEqual(Array<number>(100).fill(3));
  });
});
