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
  /** Mean watched fraction after many plays, and what the best page would have. */
  watched: number;
  oracle: number;
  /** Lost per impression while everything is learned. */
  regret: number;
  /** Impressions until a planted best video is among the first four, of which none is for newcomers. */
  plantedAfter: number;
  /** Share of new videos that get 100 plays in a day. */
  newShare: number;
  /** Mean quality of what is shown in the time after the best turned bad. */
  turned: number;
  /** Share of impressions of a bad video that bots play. */
  botShare: number;
}

/** Size of a simulation. The tests run a small one. */
interface FeedScale {
  videos: number;
  historyPlays: number;
  impressions: number;
  newDays: number;
}
const fullScale: FeedScale = {
  videos: 500,
  historyPlays: 500_000,
  impressions: 20_000,
  newDays: 3,
};

/** Plays by visitors who came from elsewhere: some videos are far more popular than others. */
function playHistory(world: World, seed: number, plays: number): void {
  const random = createRandom(seed + 1);
  const days = 60;
  world.nowMs -= days * 86_400_000;
  const order = world.videos.toSorted(() => random.next() - 0.5);
  for (let play = 0; play < plays; play += 1) {
    const video = random.next() < 0.5 ? order[random.zipf(order.length)] : random.pick(order);
    if (video !== undefined) world.play(video);
    world.nowMs += (days * 86_400_000) / plays;
  }
}

function watchedAfterHistory(policy: Policy, seed: number, scale: FeedScale) {
  const world = createWorld(seed, scale.videos);
  playHistory(world, seed, scale.historyPlays);
  const shown: number[] = [];
  world.run(policy, scale.impressions, (video) => shown.push(video.quality));
  return { watched: meanOf(shown), oracle: oracleOf(world.videos) };
}

export function learn(policy: Policy, seed: number, scale: FeedScale) {
  const world = createWorld(seed, scale.videos);
  const best = oracleOf(world.videos);
  const lost: number[] = [];
  world.run(policy, scale.impressions, (video) => lost.push(best - video.quality));
  return { world, regret: meanOf(lost) };
}

export function plantBest(policy: Policy, seed: number, scale: FeedScale): number {
  const { world } = learn(policy, seed, scale);
  const planted = world.addVideo(0.8);
  const index = world.videos.indexOf(planted);
  const step = 100;
  const sessions = 20;
  for (let after = step; after <= 10_000; after += step) {
    world.run(policy, step);
    let found = 0;
    for (let session = 0; session < sessions; session += 1) {
      if (policy.page(`planted/${seed}/${after}/${session}`).slice(0, 4).includes(index))
        found += 1;
    }
    if (found * 2 >= sessions) return after;
  }
  return Infinity;
}

export function shareOfNew(policy: Policy, seed: number, scale: FeedScale): number {
  const { world } = learn(policy, seed, { ...scale, impressions: scale.impressions / 4 });
  const random = createRandom(seed + 2);
  const perDay = 30;
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

/** One play in a hundred is of a bot, each with a cookie of its own. */
export function shareOfPushed(policy: Policy, seed: number, scale: FeedScale): number {
  const { world } = learn(policy, seed, scale);
  const bad = world.videos.toSorted((a, b) => a.quality - b.quality)[0];
  if (bad === undefined) return 0;
  let shown = 0;
  let all = 0;
  world.run(policy, scale.impressions, (video) => {
    all += 1;
    if (video === bad) shown += 1;
    if (all % 100 === 0) world.play(bad, 1, 0.1);
  });
  return shown / all;
}

export function scoreFeed(create: () => Policy, seed: number, scale = fullScale): FeedScores {
  return {
    ...watchedAfterHistory(create(), seed, scale),
    regret: learn(create(), seed, scale).regret,
    plantedAfter: plantBest(create(), seed, scale),
    newShare: shareOfNew(create(), seed, scale),
    turned: afterTheBestTurnBad(create(), seed, scale),
    botShare: shareOfPushed(create(), seed, scale),
  };
}
