import { existsSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createDb, createPool, type Db } from "#server/db/connection.ts";
import { startEngine } from "#server/db/engine/engine.ts";
import { migrateToLatest } from "#server/db/migrate.ts";
import { createWatchService } from "#server/features/engagement/watch.service.ts";
import { createCandidatePool } from "#server/features/feed/candidate-pool.ts";
import { createFeedSnapshots } from "#server/features/feed/feed-snapshot.ts";
import { createSessionOrder } from "#server/features/feed/session-order.ts";
import { createTaste } from "#server/features/feed/taste.ts";
import { newId } from "#server/lib/ids.ts";
import { createLogger } from "#server/lib/logger.ts";
import { createRandom } from "#test/reference/random.ts";
import { seedSite } from "../seed.ts";
import { meanOf } from "./feed-world.ts";

const videos = 20_000;
const watches = 1_000_000;
const refreshes = 20;
/** Enough for a mean that varies by less than 0.01 between runs. */
const sessions = 500;

interface RefreshScores {
  rows: number;
  medianMs: number;
  /** Number of videos that are among the first 20 both before and after 1,000 plays. */
  sharedTop: number;
}

/** Reads the candidates of a catalogue with a million plays, as the server does once a minute. */
export async function measureRefresh(): Promise<RefreshScores> {
  const dataDir = join(tmpdir(), "kinora-bench-ranking");
  if (!existsSync(join(dataDir, "postgres"))) {
    await seedSite({ DATA_DIR: dataDir }, { videos, watches, seed: 1 });
  }
  const logger = createLogger("warn");
  const engine = await startEngine({ dataDir, logger });
  const db = createDb(createPool(engine.target, 4, logger));
  try {
    await migrateToLatest(db);
    const clock = { now: () => Date.now(), date: () => new Date() };
    const snapshots = createFeedSnapshots({ db, clock });
    const times: number[] = [];
    for (let round = 0; round < refreshes; round += 1) {
      snapshots.invalidate();
      const startedAt = performance.now();
      await snapshots.current();
      times.push(performance.now() - startedAt);
    }
    const before = await snapshots.current();
    await playSome(
      db,
      before.candidates.map(({ id }) => id),
    );
    snapshots.invalidate();
    const after = await snapshots.current();
    const shared = Array.from({ length: sessions }, (_, session) => {
      const top = (snapshot: typeof before) =>
        topOf(snapshot, `session ${session}`).map(({ id }) => id);
      const first = new Set(top(before));
      return top(after).filter((id) => first.has(id)).length / 20;
    });
    const count = await db
      .selectFrom("watches")
      .select((eb) => eb.fn.countAll<number>().as("n"))
      .executeTakeFirstOrThrow();
    const median = times.toSorted((a, b) => a - b)[refreshes / 2] ?? 0;
    return { rows: count.n, medianMs: median, sharedTop: meanOf(shared) };
  } finally {
    await db.destroy();
    await engine.stop();
  }
}

const unseen = { excludedIds: new Set<string>(), lastActorIds: [], count: 0 };
const topOf = (pool: Parameters<typeof createSessionOrder>[0], seed: string) =>
  createSessionOrder(pool, seed, unseen).slice(0, 20);

async function playSome(db: Db, ids: readonly string[]): Promise<void> {
  const random = createRandom(1);
  let now = Date.now();
  const service = createWatchService({ db, clock: { now: () => now, date: () => new Date(now) } });
  const visitors = Array.from({ length: 100 }, () => newId());
  const plays = Array.from({ length: 1000 }, (_, at) => ({
    visitorId: visitors[at % 100] ?? "",
    videoId: random.pick(ids),
    addressKey: String(at),
    addressGroup: String(at),
  }));
  const send = (watchTimeS: () => number) =>
    Promise.all(
      plays.map((play) =>
        service.report({ ...play, watchTimeS: watchTimeS(), isCompleted: false }),
      ),
    );
  await send(() => 0);
  now += 60_000;
  await send(() => random.below(60));
  await service.drain();
}

/** Taste and rank of 5,000 candidates for one visitor, in ms. */
export function measurePersonal(seed: number): number {
  const random = createRandom(seed);
  const count = 5000;
  const label = () => `label-${random.zipf(2000)}`;
  const candidates = Array.from({ length: count }, (_, index) => ({
    id: `video-${index}`,
    publishedAtMs: 0,
    durationS: 5 + random.below(600),
    impressions: 1000,
    rewardSum: random.below(50),
    rewardCount: 50,
    viewsToday: 0,
    actorIds: [],
    labelIds: Array.from({ length: 8 }, label),
  }));
  const pool = createCandidatePool(candidates, 400 * 86_400_000);
  const plays = Array.from({ length: 50 }, () => ({
    videoId: random.pick(candidates).id,
    title: "",
    reward: random.next(),
    usualReward: 0.5,
    labelIds: Array.from({ length: 8 }, label),
  }));
  const neighbours = Array.from({ length: 400 }, () => ({
    videoId: random.pick(candidates).id,
    weight: random.next(),
    becauseId: random.pick(candidates).id,
  }));
  const times: number[] = [];
  for (let round = 0; round < 200; round += 1) {
    const startedAt = performance.now();
    const taste = createTaste(candidates, plays, neighbours, { lessTagIds: [], disliked: [] });
    createSessionOrder(pool, `session ${round}`, { ...unseen, taste }).slice(0, 20);
    times.push(performance.now() - startedAt);
  }
  return times.toSorted((a, b) => a - b)[100] ?? 0;
}
