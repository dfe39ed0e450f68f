import { createRandom } from "#test/reference/random.ts";
import {
  createWorld,
  drawQuality,
  impressionsPerDay,
  meanOf,
  oracleOf,
  type Policy,
  type World,
} from "./feed-world.ts";

/** Scores of one policy with one seed. */
export interface FeedScores {
  /** Loss per impression while the policy learns. */
  regret: number;
  /**
   * Impressions until a planted best video is among the first four places, none of which is reserved
   * for newcomers.
   */
  plantedAfter: number;
  /** Share of new videos that get 100 plays in a day. */
  newShare: number;
  /** Mean quality of the shown videos after the best one has turned bad. */
  turned: number;
  /** Impressions until a planted best video leads on a new site with 50 visitors a day. */
  plantedOnNewSite: number;
  /** Largest share of an hour's impressions that any kind of bot gains for the worst video. */
  botShare: number;
  /** Largest share when 110 cookies attack at once. */
  floodShare: number;
  /** Largest share in the fifth hour of an attack by 20 address groups. */
  lastingShare: number;
}

/** Size of a simulation. The tests run a small one. */
interface FeedScale {
  videos: number;
  impressions: number;
  newDays: number;
  /** Impressions per day, if not the usual number. */
  perDay?: number;
}
const fullScale: FeedScale = { videos: 500, impressions: 20_000, newDays: 3 };

export function learn(policy: Policy, seed: number, scale: FeedScale) {
  const world = createWorld(seed, scale.videos, scale.perDay);
  const best = oracleOf(world.videos);
  const lost: number[] = [];
  world.run(policy, scale.impressions, (video) => lost.push(best - video.quality));
  return { world, regret: meanOf(lost) };
}

export function plantBest(policy: Policy, seed: number, scale: FeedScale): number {
  const { world } = learn(policy, seed, scale);
  const planted = world.addVideo(0.8);
  const index = world.videos.indexOf(planted);
  return untilItLeads(world, policy, index, `planted/${seed}`);
}

/**
 * Returns the number of impressions until this video is among the first four in half of the
 * sessions.
 */
function untilItLeads(world: World, policy: Policy, index: number, seed: string): number {
  const step = 100;
  const sessions = 20;
  for (let after = step; after <= 10_000; after += step) {
    world.run(policy, step);
    let found = 0;
    for (let session = 0; session < sessions; session += 1) {
      if (policy.page(`${seed}/${after}/${session}`).slice(0, 4).includes(index)) found += 1;
    }
    if (found * 2 >= sessions) return after;
  }
  return Infinity;
}

/** New videos a day. */
const perDay = 30;

export function shareOfNew(policy: Policy, seed: number, scale: FeedScale): number {
  const { world } = learn(policy, seed, { ...scale, impressions: scale.impressions / 4 });
  const random = createRandom(seed + 2);
  const waiting: { video: World["videos"][number]; until: number }[] = [];
  let reached = 0;
  const steps = perDay * scale.newDays;
  for (let step = 0; step < steps + perDay; step += 1) {
    if (step < steps) {
      const video = world.addVideo(drawQuality(random));
      waiting.push({ video, until: world.nowMs + 86_400_000 });
    }
    world.run(policy, Math.floor(impressionsPerDay / perDay / 10) * 10);
    for (const { video } of waiting.filter(({ until }) => until <= world.nowMs)) {
      if (video.impressions >= 100) reached += 1;
    }
    for (let at = waiting.length - 1; at >= 0; at -= 1) {
      if ((waiting[at]?.until ?? 0) <= world.nowMs) waiting.splice(at, 1);
    }
  }
  return (reached + waiting.filter(({ video }) => video.impressions >= 100).length) / steps;
}

function afterTheBestTurnBad(policy: Policy, seed: number, scale: FeedScale): number {
  const { world } = learn(policy, seed, scale);
  const best = world.videos.toSorted((a, b) => b.quality - a.quality).slice(0, 10);
  for (const video of best) video.quality = 0.1;
  const shown: number[] = [];
  world.run(policy, scale.impressions / 4, (video) => shown.push(video.quality));
  return meanOf(shown);
}

/** Bots that play one video to the end. */
interface Bots {
  /** Bots' share of the site's plays in an hour. */
  share: number;
  videosEach: number;
  addressGroups: number;
  /** True if all plays are at the beginning of the hour. */
  isBurst: boolean;
  /** Number of hours with these plays; the last one counts. One by default. */
  hours?: number;
}

export const manyBots: readonly Bots[] = [0.002, 0.01, 0.02].flatMap((share) =>
  [1, 3, 10].flatMap((videosEach) =>
    [1, 20].flatMap((addressGroups) =>
      [true, false].map((isBurst) => ({
        share,
        videosEach,
        addressGroups,
        isBurst,
      })),
    ),
  ),
);

/** Attack from an external test: 110 cookies within seconds, an eighth of an hour's plays. */
export const floods: readonly Bots[] = [1, 20].map((addressGroups) => ({
  share: 0.13,
  videosEach: 2,
  addressGroups,
  isBurst: true,
}));

/** Patient bots, whose address groups have plays left after the first hour. */
const lastingAttacks: readonly Bots[] = [0.02, 0.13].flatMap((share) =>
  [true, false].map((isBurst) => ({
    share,
    videosEach: 3,
    addressGroups: 20,
    isBurst,
    hours: 5,
  })),
);

const repeats = 3;

/** Returns the largest share of the last hour's impressions that bots gain for the worst video. */
export function shareOfPushed(
  policy: Policy,
  seed: number,
  scale: FeedScale,
  attacks: readonly Bots[],
): number {
  const { world } = learn(policy, seed, scale);
  const worst = world.videos.toSorted((a, b) => a.quality - b.quality)[0];
  if (worst === undefined) return 0;
  const before = structuredClone(world.videos);
  // Sends all attacks at the beginning of an hour.
  const startMs = Math.ceil(world.nowMs / 3_600_000) * 3_600_000;
  const shares = attacks.map((bots) => {
    let shown = 0;
    let all = 0;
    for (let repeat = 0; repeat < repeats; repeat += 1) {
      for (const [at, video] of world.videos.entries()) {
        const { kept, ...values } = before[at] ?? video;
        Object.assign(video, values, { kept: { ...kept } });
      }
      world.nowMs = startMs;
      const hourly = Math.round(impressionsPerDay / 24);
      const plays = Math.max(1, Math.round(bots.share * hourly));
      let played = 0;
      const push = () => {
        const inGroup = Math.floor(played / bots.addressGroups) + 1;
        world.play(worst, { engagedVideos: bots.videosEach, inGroup }, 1);
        played += 1;
      };
      const { hours = 1, isBurst } = bots;
      for (let hour = 1; hour <= hours; hour += 1) {
        let passed = 0;
        while (isBurst && played < plays * hour) push();
        world.run(policy, hourly, (video) => {
          passed += 1;
          if (hour === hours) all += 1;
          if (hour === hours && video === worst) shown += 1;
          if (passed % Math.ceil(hourly / plays) === 0 && played < plays * hour) push();
        });
      }
    }
    return shown / all;
  });
  return Math.max(...shares);
}

/**
 * Returns the number of impressions until a planted best video leads on a new site with 50 visitors
 * a day.
 */
export function learnOnNewSite(policy: Policy, seed: number): number {
  const world = createWorld(seed, 50, 1100);
  world.run(policy, 5 * 1100);
  const planted = world.addVideo(0.8);
  const index = world.videos.indexOf(planted);
  return untilItLeads(world, policy, index, `new site/${seed}`);
}

export const scoreFeed = (policy: Policy, seed: number, scale = fullScale): FeedScores => ({
  regret: learn(policy, seed, scale).regret,
  plantedAfter: plantBest(policy, seed, scale),
  newShare: shareOfNew(policy, seed, scale),
  turned: afterTheBestTurnBad(policy, seed, scale),
  plantedOnNewSite: learnOnNewSite(policy, seed),
  botShare: shareOfPushed(policy, seed, scale, manyBots),
  floodShare: shareOfPushed(policy, seed, scale, floods),
  lastingShare: shareOfPushed(policy, seed, scale, lastingAttacks),
});
