import { execFile } from "node:child_process";
import { mkdir } from "node:fs/promises";
import { promisify } from "node:util";
import { sql } from "kysely";
import { z } from "zod";
import type { PublishChanges } from "#server/db/change-tags.ts";
import type { Db, Trx } from "#server/db/connection.ts";
import type { SettingsService } from "#server/features/settings/settings.service.ts";
import type { IngestService } from "#server/features/uploads/ingest.service.ts";
import type { Logger } from "#server/lib/logger.ts";
import type { Storage } from "#server/storage/storage.ts";
import { planClip, type ClipSpec } from "./clip.ts";
import { clips as catalogue } from "./clips.ts";
import { planHistory, trendOf, type HistoryHour } from "./history.ts";
import { planPiece, type PieceName } from "./music.ts";

export interface DemoDeps {
  db: Db;
  storage: Storage;
  settings: Pick<SettingsService, "readFresh">;
  ingest: IngestService;
  ffmpegPath: string;
  logger: Logger;
  changed: PublishChanges;
  /** Adds the ads. Called once, after the clips. */
  seedAds: (workDir: string) => Promise<void>;
  /** Adds comments, members, campaigns and statistics. Called once, after the ads. */
  seedLife: (clips: readonly ClipSpec[]) => Promise<void>;
  /** Clips to use instead of the whole catalogue. */
  chosen?: readonly ClipSpec[];
  /** Prints a line for the user at the terminal. */
  say: (line: string) => void;
  signal: AbortSignal;
}

/**
 * Progress of seeding, stored beside the media, so that a second run continues or changes nothing.
 */
const stateKey = "demo/state.json";
const state = z.object({
  clips: z.array(z.string()),
  hasAds: z.boolean(),
  hasLife: z.boolean().default(false),
});
type State = z.infer<typeof state>;

/** Two at a time: one core generates while the other publishes. */
const generators = 2;
const dayMs = 24 * 3600 * 1000;
const run = promisify(execFile);

/**
 * Fills an empty site with the demonstration catalogue. Every clip is generated and then ingested
 * like an upload. A site that has its own videos isn't changed. If a run is interrupted, the next
 * one continues it.
 */
export async function seedDemo(deps: DemoDeps): Promise<void> {
  const { db, storage, say, chosen: clips = catalogue } = deps;
  const known = await readState(storage);
  if (known === null && (await hasVideos(db))) {
    say("The site has videos already; the demonstration catalogue was not added.");
    return;
  }
  const progress: State = known ?? { clips: [], hasAds: false, hasLife: false };
  const missing = clips.filter(({ slug }) => !progress.clips.includes(slug));
  if (missing.length === 0 && progress.hasAds && progress.hasLife) return;
  if (known === null) await nameFilters(deps, clips);

  say(`Making ${missing.length} demonstration clips ...`);
  await using scratch = await storage.createScratch();
  const music = createMusic(deps, scratch.path);
  const queue = [...missing];
  const work = async () => {
    for (let clip = queue.shift(); clip !== undefined; clip = queue.shift()) {
      deps.signal.throwIfAborted();
      await addClip(deps, clip, scratch.path, music);
      progress.clips.push(clip.slug);
      await storage.putBytes(stateKey, JSON.stringify(progress));
      if (progress.clips.length % 10 === 0)
        say(`${progress.clips.length} of ${clips.length} clips`);
    }
  };
  await Promise.all(Array.from({ length: generators }, work));
  if (!progress.hasAds) {
    await deps.seedAds(scratch.path);
    progress.hasAds = true;
    await storage.putBytes(stateKey, JSON.stringify(progress));
  }
  if (!progress.hasLife) {
    await deps.seedLife(clips);
    progress.hasLife = true;
    await storage.putBytes(stateKey, JSON.stringify(progress));
  }
  await deps.changed("everything");
  say("The demonstration catalogue is complete; other qualities follow in the background.");
}

async function readState(storage: Storage): Promise<State | null> {
  if ((await storage.findStat(stateKey)) === null) return null;
  const text = (await storage.readBytes(stateKey, 1_000_000)).toString();
  return state.parse(JSON.parse(text));
}

async function hasVideos(db: Db): Promise<boolean> {
  const row = await db.selectFrom("videos").select("id").limit(1).executeTakeFirst();
  return row !== undefined;
}

/** Sets the catalogue's categories in the filter bar, unless an admin chose others. */
async function nameFilters(
  { db, settings, changed }: DemoDeps,
  clips: readonly ClipSpec[],
): Promise<void> {
  const { filterCategories } = await settings.readFresh();
  if (filterCategories.join() !== "African,Ebony,Teen") return;
  const counts = new Map<string, number>();
  for (const name of clips.flatMap((clip) => clip.categories)) {
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  const names = [...counts].toSorted(([, a], [, b]) => b - a).map(([name]) => name);
  await db
    .updateTable("settings")
    .set({ filter_categories: names.slice(0, 8) })
    .where("id", "=", 1)
    .execute();
  await changed(["settings"]);
}

/** Generates each piece of music once, at its first use. */
function createMusic(deps: DemoDeps, folder: string): (name: PieceName) => Promise<string> {
  const files = new Map<PieceName, Promise<string>>();
  return (name) => {
    const known = files.get(name);
    if (known !== undefined) return known;
    const output = `${folder}/${name}.wav`;
    const file = generate(deps, planPiece(name, output)).then(() => output);
    files.set(name, file);
    return file;
  };
}

async function generate({ ffmpegPath, signal }: DemoDeps, args: string[]): Promise<void> {
  await run(ffmpegPath, ["-nostdin", "-v", "error", "-y", ...args], {
    signal,
    maxBuffer: 1_000_000,
  });
}

async function addClip(
  deps: DemoDeps,
  clip: ClipSpec,
  folder: string,
  music: (name: PieceName) => Promise<string>,
): Promise<void> {
  const { db, ingest } = deps;
  // An earlier run may have stopped between the ingest and saving its state.
  const known = await db
    .selectFrom("videos")
    .select("id")
    .where("title", "=", clip.title)
    .executeTakeFirst();
  let id = known?.id;
  if (id === undefined && clip.isRemoved === true) {
    const removed = await db
      .selectFrom("removed_videos")
      .select("id")
      .where("title", "=", clip.title)
      .executeTakeFirst();
    if (removed !== undefined) return;
  }
  if (id === undefined) {
    const own = `${folder}/${clip.slug}`;
    await mkdir(own);
    const sound = clip.sound === null ? null : await music(clip.sound);
    let output = "";
    for (const step of planClip(clip, own, sound)) {
      await generate(deps, step.args);
      output = step.output;
    }
    // Cards show this frame, because the ladder makes its pictures later.
    const thumbnailPath = `${own}/thumbnail.webp`;
    // The nearest key frame needs no other frames to be decoded.
    const frameAt = ["-noaccurate_seek", "-ss", String(clip.durationS / 4), "-i", `file:${output}`];
    await generate(deps, [...frameAt, "-frames:v", "1", "-q:v", "84", `file:${thumbnailPath}`]);
    const video = await ingest.ingest({
      path: output,
      title: clip.title,
      description: clip.description,
      labels: {
        categories: [...clip.categories],
        tags: [...clip.tags],
        actors: [...clip.actors],
      },
      isPremium: clip.isPremium ?? false,
      thumbnailPath,
      actor: null,
    });
    id = video.id;
  }
  await addHistory(db, id, clip);
}

/** Publishes a clip in the past, with the statistics that it would have had since. */
async function addHistory(db: Db, id: string, clip: ClipSpec): Promise<void> {
  const now = new Date();
  const publishedAt = new Date(now.getTime() - clip.ageDays * dayMs);
  const hours = planHistory({
    publishedAt,
    now,
    durationS: clip.durationS,
    views: clip.views,
    likeRate: clip.likeRate,
    seed: clip.slug,
  });
  const total = (key: Exclude<keyof HistoryHour, "hour">) =>
    hours.reduce((sum, hour) => sum + hour[key], 0);
  await db.transaction().execute(async (trx) => {
    const row = await trx
      .selectFrom("videos")
      .select("published_at")
      .where("id", "=", id)
      .forUpdate()
      .executeTakeFirst();
    // An earlier run published it and stopped before saving its state.
    if (row === undefined || row.published_at !== null) return;
    await insertHours(trx, id, hours);
    await trx
      .updateTable("videos")
      .set({
        is_published: true,
        published_at: publishedAt,
        // The clip may still be in work, and would get a new date when it is listed.
        was_listed: true,
        created_at: publishedAt,
        views: total("views"),
        likes: total("likes"),
        engaged: total("engaged"),
        completed: total("completed"),
        watch_time_s: total("watchTimeS"),
        trend: sql<number>`${String(trendOf(hours))}::float8`,
      })
      .where("id", "=", id)
      .execute();
  });
}

async function insertHours(trx: Trx, id: string, hours: HistoryHour[]): Promise<void> {
  const rows = sql`unnest(
      ${hours.map(({ hour }) => hour)}::timestamptz[],
      ${hours.map(({ views }) => views)}::bigint[],
      ${hours.map(({ engaged }) => engaged)}::bigint[],
      ${hours.map(({ completed }) => completed)}::bigint[],
      ${hours.map(({ likes }) => likes)}::bigint[],
      ${hours.map(({ watchTimeS }) => watchTimeS)}::float8[]
    ) as g (hour, views, engaged, completed, likes, watch_s)`;
  await sql`
    insert into video_stats_hourly
      (video_id, hour, views, engaged, completed, likes, watch_time_s)
    select ${id}::uuid, hour, views, engaged, completed, likes, watch_s from ${rows}`.execute(trx);
  await sql`
    insert into site_stats_hourly as s (hour, views, likes, completed, watch_time_s)
    select hour, views, likes, completed, watch_s from ${rows} order by hour
    on conflict (hour) do update set
      views = s.views + excluded.views,
      likes = s.likes + excluded.likes,
      completed = s.completed + excluded.completed,
      watch_time_s = s.watch_time_s + excluded.watch_time_s`.execute(trx);
}
