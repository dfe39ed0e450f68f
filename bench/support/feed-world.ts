import { addRewards, rewardScale } from "#server/features/engagement/rewards.ts";
import {
  addressWeight,
  playRules,
  visitorWeight,
} from "#server/features/engagement/play-weight.ts";
import { Random, sampleOdds, type Candidate } from "#server/features/feed/ranking.ts";
import { createRandom, type Random as Draws } from "#test/reference/random.ts";

/** Video whose quality only the simulation knows. */
export interface SimulatedVideo extends Candidate {
  /** Mean watched fraction. */
  quality: number;
  /** Forward-decayed sums, as stored in the database. */
  kept: { sum: number; count: number };
  /** Current hour, with the address weights of its plays. */
  hour: number;
  hourWeight: number;
}

/** Visitor who plays a video, with the properties that the site can see. */
interface SimulatedPlayer {
  engagedVideos: number;
  /** Position among the plays of this video by the address group on this day, counted from 1. */
  inGroup: number;
}

/** Visitor with their own address group. */
const honestPlayer: SimulatedPlayer = { engagedVideos: 3, inGroup: 1 };

/** Number of videos on a page that a visitor plays. */
export const pageSize = 10;
export const impressionsPerDay = 20_000;
/** Number of impressions until candidates are read again, about a minute. */
const refreshEvery = 2 * pageSize;
/** Qualities are logistic-normal: the best ten of 500 average 0.67, all of them 0.46. */
const quality = { mean: -0.15, spread: 0.365 };
/** Plays vary widely. For a video of quality 0.5, a quarter of the plays end in its first tenth. */
const playStrength = 1.5;

/** Orders the catalogue for one session, using only what the site would know. */
export interface Policy {
  name: string;
  /** Called when the candidates are read again. */
  refresh(videos: readonly SimulatedVideo[], nowMs: number): void;
  /** Returns the first page of a session, as indexes of videos. */
  page(seed: string): readonly number[];
}

export interface World {
  readonly videos: SimulatedVideo[];
  nowMs: number;
  addVideo(quality: number): SimulatedVideo;
  /** Counts a play as the site would. */
  play(video: SimulatedVideo, player: SimulatedPlayer, watched?: number): void;
  /** Runs sessions of this policy until `impressions` is reached. */
  run(policy: Policy, impressions: number, onImpression?: (video: SimulatedVideo) => void): void;
}

const startMs = Date.UTC(2026, 5, 1);

export function createWorld(seed: number, count: number, perDay = impressionsPerDay): World {
  const draws = createRandom(seed);
  const plays = new Random(seed);
  const videos: SimulatedVideo[] = [];
  const msPerImpression = 86_400_000 / perDay;
  let session = 0;

  const world: World = {
    videos,
    nowMs: startMs,
    addVideo(mean) {
      const video: SimulatedVideo = {
        id: `video-${String(videos.length).padStart(6, "0")}`,
        publishedAtMs: world.nowMs,
        durationS: 45,
        impressions: 0,
        rewardSum: 0,
        rewardCount: 0,
        actorIds: [],
        quality: mean,
        kept: { sum: 0, count: 0 },
        hour: 0,
        hourWeight: 0,
      };
      videos.push(video);
      return video;
    },
    play(video, { engagedVideos, inGroup }, watched = drawFraction(video.quality, plays)) {
      const hour = Math.floor(world.nowMs / 3_600_000);
      if (hour !== video.hour) Object.assign(video, { hour, hourWeight: 0 });
      const { hourWeight } = video;
      const isNewVideo = world.nowMs - video.publishedAtMs < playRules.newVideoMs;
      const place = { inGroup, hourWeight, siteViewsPerHour: perDay / 24, isNewVideo };
      const ofAddress = addressWeight(place);
      video.hourWeight += ofAddress;
      const scale = visitorWeight(engagedVideos) * ofAddress * rewardScale(world.nowMs);
      video.impressions += 1;
      video.kept = addRewards(video.kept, { sum: watched * scale, count: scale }, world.nowMs);
    },
    run(policy, impressions, onImpression) {
      for (let shown = 0; shown < impressions; shown += pageSize) {
        if (shown % refreshEvery === 0) refresh(policy);
        session += 1;
        for (const index of policy.page(`${seed}/${session}`)) {
          const video = videos[index];
          if (video === undefined) continue;
          world.nowMs += msPerImpression;
          world.play(video, honestPlayer);
          onImpression?.(video);
        }
      }
    },
  };

  function refresh(policy: Policy): void {
    const scale = rewardScale(world.nowMs);
    for (const video of videos) {
      video.rewardSum = video.kept.sum / scale;
      video.rewardCount = video.kept.count / scale;
    }
    policy.refresh(videos, world.nowMs);
  }

  for (let index = 0; index < count; index += 1) {
    const video = world.addVideo(drawQuality(draws));
    video.publishedAtMs -= 86_400_000 * (2 + 363 * draws.next());
  }
  return world;
}

export const drawQuality = (draws: Draws): number =>
  1 / (1 + Math.exp(-quality.mean - quality.spread * draws.normal()));

function drawFraction(mean: number, random: Random): number {
  const odds = sampleOdds(playStrength * mean, playStrength * (1 - mean), random);
  // Odds of 1 to 0 are infinite.
  return 1 / (1 + 1 / odds);
}

/** Returns the expected reward of a page with the ten best videos. */
export function oracleOf(videos: readonly SimulatedVideo[]): number {
  const best = videos.map((video) => video.quality).toSorted((a, b) => b - a);
  return meanOf(best.slice(0, pageSize));
}

export const meanOf = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);
