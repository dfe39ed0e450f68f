import { expect, it } from "vitest";
import { sql } from "kysely";
import { useTestApp } from "#test/app.ts";
import { makeVideo } from "#test/factories/make-video.ts";
import type { ClipSpec } from "./clip.ts";
import { field, palette } from "./filter-graphs.ts";
import { seedDemo } from "./seed-demo.ts";
import { addSiteLife } from "./site-life.ts";

const frame = { width: 160, height: 90, fps: 8 };
const colours = palette("#102030 0, #f0e0c0 1");
const createClip = (slug: string, change: Partial<ClipSpec>): ClipSpec => ({
  slug,
  title: slug,
  description: "A small one",
  categories: ["Waves"],
  tags: ["small"],
  actors: ["Some One"],
  ageDays: 3,
  views: 1234,
  likeRate: 0.05,
  frame,
  durationS: 4,
  graph: `${field(frame, 4, "0.5+0.4*sin(6*x+t)", 40)},${colours}[v]`,
  sound: null,
  ...change,
});
const clips = [
  createClip("with-sound", { sound: "intervals" }),
  createClip("thrown-away", { isRemoved: true, views: 0 }),
  createClip("in-a-loop", { durationS: 10, loopS: 4, views: 99 }),
];

let adRuns = 0;
const app = useTestApp();

const seed = () =>
  seedDemo({
    ...app.context,
    ffmpegPath: app.context.media.report.paths.ffmpeg,
    seedAds: () => {
      adRuns += 1;
      return Promise.resolve();
    },
    seedLife: (given) => addSiteLife(app.context, given),
    say: () => undefined,
    signal: new AbortController().signal,
    chosen: clips,
  });

const snapshot = async () => {
  const { db } = app.context;
  const { rows } = await sql`
    select title, views, likes, trend, published_at, duration_s, width, version from videos order by title`.execute(
    db,
  );
  const hours = await sql`select * from video_stats_hourly order by video_id, hour`.execute(db);
  const site = await sql`select * from site_stats_hourly order by hour`.execute(db);
  const life = await sql<Record<string, number>>`
    select (select count(*)::int from comments) as comments,
      (select count(*)::int from videos where thumbnail_key is null) as pictureless,
      (select count(*)::int from passes) as passes,
      (select count(*)::int from campaigns) as campaigns,
      (select count(*)::int from comments where state = 'held') as held,
      (select count(*)::int from referral_stats_daily) as referral_days,
      (select count(*)::int from invitations) as invitations,
      (select count(*)::int from own_pages) as pages,
      (select count(*)::int from removed_videos) as removed,
      (select sum(plays)::int from site_bins) as plays,
      (select count(distinct name)::int from site_sources) as sources`.execute(db);
  return { videos: rows, hours: hours.rows, site: site.rows, life: life.rows[0] };
};
const sumOf = (rows: unknown[], key: string) =>
  (rows as Record<string, number>[]).reduce((sum, row) => sum + (row[key] ?? 0), 0);

it("ingests generated clips like uploads, with statistics that add up", async () => {
  await seed();
  const { videos, hours, site, life } = await snapshot();
  expect(life).toMatchObject({ pictureless: 0, passes: 4, campaigns: 3, sources: 13 });
  expect(life).toMatchObject({ held: 2, referral_days: 90, invitations: 2, pages: 1, removed: 1 });
  expect(life?.["comments"]).toBeGreaterThan(1);
  expect(life?.["plays"]).toBeGreaterThan(1000);
  expect(videos).toMatchObject([
    { title: "in-a-loop", views: 99, likes: 5, width: 160 },
    { title: "with-sound", views: 1234, likes: 62, width: 160 },
  ]);
  const [loop, sound] = videos as { duration_s: number }[];
  expect(loop?.duration_s).toBeCloseTo(10, 0);
  expect(sound?.duration_s).toBeCloseTo(4, 0);
  for (const rows of [hours, site]) {
    expect(sumOf(rows, "views")).toBe(1234 + 99);
    expect(sumOf(rows, "likes")).toBe(62 + 5);
  }
});

it("changes nothing when it runs again, even if its state was lost", async () => {
  const before = await snapshot();
  await seed();
  expect(await snapshot()).toEqual(before);
  await app.context.storage.putBytes(
    "demo/state.json",
    JSON.stringify({ clips: [], hasAds: false }),
  );
  await seed();
  expect(await snapshot()).toEqual(before);
  expect(adRuns).toBe(2);
});

it("adds nothing to a site that has its own videos", async () => {
  const before = await snapshot();
  await app.context.storage.delete("demo/state.json");
  await seed();
  expect(await snapshot()).toEqual(before);
  expect(adRuns).toBe(2);
});

it("publishes a clip for the feed only once", async () => {
  const long = await makeVideo(app.db, { slug: "the-sea-remembers-green", duration_s: 90 });
  await addSiteLife(app.context, []);
  await addSiteLife(app.context, []);
  const found = await app.db
    .selectFrom("videos")
    .select(["is_published", "clip_start_s"])
    .where("clip_of", "=", long.id)
    .execute();
  expect(found).toEqual([{ is_published: true, clip_start_s: 30 }]);
});
