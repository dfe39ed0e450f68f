import { expect, it } from "vitest";
import { binCount } from "#contract/videos/watched-bins.ts";
import { useTestDatabase } from "#test/database.ts";
import { makeVideo } from "#test/factories/make-video.ts";
import { createRandom } from "#test/reference/random.ts";
import { newId } from "#server/lib/ids.ts";
import { readReplays } from "./watched-bins.repository.ts";
import { createWatchService } from "./watch.service.ts";
import { formatBins } from "./watched-bins.ts";
import { sql } from "kysely";

const database = useTestDatabase();
const durationS = 300;
const people = 9500;
const bots = 500;
const botGroups = 20;

interface Viewer {
  visitorId: string;
  group: string;
  bins: number[];
  /** How often the last report is sent. */
  repeats: number;
}

it("shows what an audience of 10,000 watched within 2 points, with bots and two processes", async () => {
  const { db } = database;
  let nowMs = Date.parse("2026-05-01T10:00:00Z");
  const clock = { now: () => nowMs, date: () => new Date(nowMs) };
  const { id: videoId } = await makeVideo(db, { duration_s: durationS });
  const { next: random } = createRandom(49);
  const between = (from: number, to: number) => from + Math.floor(random() * (to - from));

  /** Leaves somewhere, some skip the beginning, and some replay the part from 40 to 48. */
  const person = (at: number): Viewer => {
    const end = random() < 0.3 ? binCount : between(1, binCount);
    const start = random() < 0.2 ? between(0, end) : 0;
    const hasReplayed = end > 48 && random() < 0.4;
    const bins = Array.from({ length: binCount }, (_, bin) =>
      bin < start || bin >= end ? 0 : hasReplayed && bin >= 40 && bin < 48 ? 2 : 1,
    );
    return { visitorId: newId(), group: `group ${at >> 1}`, bins, repeats: 1 };
  };
  const honest = Array.from({ length: people }, (_, at) => person(at));
  const dishonest = Array.from({ length: bots }, (_, at): Viewer => {
    const bins = Array<number>(binCount).fill(3);
    return { visitorId: newId(), group: `bots ${at % botGroups}`, bins, repeats: 3 };
  });
  const viewers = [...honest, ...dishonest].toSorted(() => random() - 0.5);

  // Each process has its own batches and caps.
  const one = createWatchService({ db, clock });
  const other = createWatchService({ db, clock });
  const report = (viewer: Viewer, at: number, bins: string) => {
    const passes = viewer.bins.reduce((sum, count) => sum + count, 0);
    const { visitorId, group } = viewer;
    return (at % 2 === 0 ? one : other).report({
      ...{ visitorId, videoId, addressKey: visitorId, addressGroup: group },
      watchTimeS: bins === "" ? 0 : (passes * durationS) / binCount,
      isCompleted: bins !== "" && viewer.bins.at(-1) !== 0,
      audience: { bins, country: null, device: "desktop" },
    });
  };
  await Promise.all(viewers.map((viewer, at) => report(viewer, at, "")));
  // Longer than three passes at double speed.
  nowMs += 500_000;
  await Promise.all(
    viewers.flatMap((viewer, at) =>
      Array.from({ length: viewer.repeats }, (_, repeat) =>
        report(viewer, at + repeat, formatBins(viewer.bins)),
      ),
    ),
  );

  const { rows } = await sql<{ watched: number[] }>`
    select watched from video_bins where video_id = ${videoId}`.execute(db);
  const sums = await readReplays(db, videoId);
  const plays = sums?.plays ?? 0;
  expect(plays).toBeLessThan(people + botGroups * 10);
  const wrong = Array.from({ length: binCount }, (_, bin) => {
    const share = (least: number) =>
      honest.filter(({ bins }) => (bins[bin] ?? 0) >= least).length / people;
    const watching = (rows[0]?.watched[bin] ?? 0) / plays;
    const replays = (sums?.replayed[bin] ?? 0) / plays;
    return { bin, watching: watching - share(1), replays: replays - share(2) };
  }).filter(({ watching, replays }) => Math.max(Math.abs(watching), Math.abs(replays)) > 0.02);
  expect(rows).toHaveLength(1);
  expect(wrong).toEqual([]);
});
