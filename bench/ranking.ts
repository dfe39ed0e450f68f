import type { Given } from "#server/lib/command-line.mjs";
import type { BenchTable } from "./support/bench-table.ts";
import { createBaselines, productPolicy } from "./support/feed-policies.ts";
import { scoreFeed, type FeedScores } from "./support/feed-scenarios.ts";
import { meanOf } from "./support/feed-world.ts";
import { lovedShare } from "./support/small-taste.ts";

const feedRows: readonly { of: keyof FeedScores; what: string; wanted: string }[] = [
  { of: "regret", what: "regret per impression at 20,000", wanted: "0.065" },
  { of: "plantedAfter", what: "impressions until a planted best video leads", wanted: "2000" },
  { of: "newShare", what: "new videos with 100 plays in 24 h, 30 a day", wanted: "0.95" },
  { of: "turned", what: "reward after the ten best turned bad", wanted: "0.57" },
  {
    of: "plantedOnNewSite",
    what: "impressions until a planted best video leads, new site with 50 visitors a day",
    wanted: "1100",
  },
  {
    of: "botShare",
    what: "hour's impressions of the worst video, 0.2 to 2% bots",
    wanted: "0.002",
  },
  { of: "floodShare", what: "the same, 110 cookies at once", wanted: "0.002" },
  { of: "lastingShare", what: "the same, fifth hour of 20 address groups", wanted: "" },
];

/** Plays of visitors whose taste is measured, in a small catalogue and in a large one. */
const tastePlays = [5, 10, 20];
const tasteVideos = [47, 4189];

export const options = {
  seeds: { value: "NUMBER,...", help: "seeds of the random numbers" },
};

/**
 * Simulates the feed's own code with visitors and bots, and compares it with other policies on the
 * same seeds: `npm run bench -- ranking [--seeds 1,2,3]`.
 */
export async function run(given: Given): Promise<BenchTable> {
  const values = { seeds: "1,2,3", ...given.values };
  const seeds = values.seeds.split(",").map(Number);
  const own = seeds.map((seed) => scoreFeed(productPolicy(), seed));
  const others = createBaselines().map((policy) => ({
    name: policy.name,
    scores: seeds.map((seed) => scoreFeed(policy, seed)),
  }));
  const rows = feedRows.map(({ of, what, wanted }) => [
    ...[what, wanted, own.map((score) => show(score[of])).join(" ")],
    ...others.map(({ scores }) => show(meanOf(scores.map((score) => score[of])))),
  ]);
  for (const plays of tastePlays) {
    for (const videos of tasteVideos) {
      const shares = seeds.map((seed) => show(lovedShare(videos, plays, seed)));
      // A small catalogue has only so many loved videos that the visitor hasn't seen.
      const wanted = videos > 100 ? "at most 0.8" : show((videos - plays) / 8 / 10);
      const what = `loved of the first ten after ${plays} plays, ${videos} videos`;
      rows.push([what, wanted, shares.join(" "), ...others.map(() => "")]);
    }
  }
  return {
    title: "Ranking",
    columns: ["what", "wanted", `Kinora, seeds ${values.seeds}`, ...others.map(({ name }) => name)],
    rows,
    notes: [
      "500 videos, pages of ten, 20,000 impressions a day; candidates are read again after 20. The regret of a page is against the ten best videos.",
      "Other columns are means over the seeds. Plays weigh the same for them.",
      "Bots: the worst of 36 kinds that are 0.2, 1 or 2% of an hour's plays, with 1, 3 or 10 videos per cookie, 1 or 20 address groups, in a burst or a drip. 0.002 is the share of a video by chance.",
      "Fifth hour: 20 address groups push the worst video with 2 or 13% of the site's plays, three videos per cookie, in bursts or a drip.",
      "Loved: visitors who watch one of eight categories to the end and leave all others.",
    ],
  };
}

const show = (value: number): string =>
  Number.isFinite(value) ? String(Math.round(value * 10_000) / 10_000) : "never";
