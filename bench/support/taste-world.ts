import { playReward } from "#server/features/engagement/rewards.ts";
import type { FeedCandidate } from "#server/features/feed/feed.repository.ts";
import { hashText, Random, sampleOdds } from "#server/features/feed/random.ts";
import { createRandom, type Random as Draws } from "#test/reference/random.ts";

/**
 * Population with known tastes. Each visitor likes some genres, tags, actors and scenes. Scenes are
 * groups of videos without a label, so only co-watching reveals them.
 */
export interface TasteWorld {
  videos: TasteVideo[];
  /** Visitors whose plays the site knows. */
  known: TasteVisitor[];
  /** Visitors whose plays the site doesn't know yet. */
  heldOut: TasteVisitor[];
}

export interface TasteVideo extends FeedCandidate {
  title: string;
  genreId: string;
  tagIds: string[];
  scene: number;
  appeal: number;
}

export interface TasteVisitor {
  plays: { video: TasteVideo; reward: number }[];
  /** The mean reward of a video for this visitor. */
  playReward(video: TasteVideo): number;
}

interface TasteScale {
  videos: number;
  visitors: number;
  playsEach: number;
  heldOut: number;
}
const fullTasteScale: TasteScale = {
  videos: 1000,
  visitors: 3000,
  playsEach: 60,
  heldOut: 300,
};

const counts = { genres: 12, tagsOfGenre: 10, actors: 250, scenes: 60 };
/** Effect of each preference on the log-odds of a reward. `whim` is unpredictable. */
const love = { genre: 0.5, tag: 0.45, actor: 0.4, scene: 0.9, whim: 1.1 };
const durationS = 45;

export function createTasteWorld(seed: number, scale = fullTasteScale): TasteWorld {
  const draws = createRandom(seed);
  const random = new Random(seed);
  const videos = Array.from({ length: scale.videos }, (_, index) => createVideo(index, draws));
  const visitors = Array.from({ length: scale.visitors + scale.heldOut }, () =>
    createVisitor(videos, draws, random, scale.playsEach),
  );
  const known = visitors.slice(0, scale.visitors);
  for (const { plays } of known) {
    for (const { video, reward } of plays) {
      video.impressions += 1;
      video.rewardSum += reward;
      video.rewardCount += 1;
    }
  }
  return { videos, known, heldOut: visitors.slice(scale.visitors) };
}

function createVideo(index: number, draws: Draws): TasteVideo {
  const genre = draws.below(counts.genres);
  const tag = () => {
    const of = draws.next() < 0.7 ? genre : draws.below(counts.genres);
    return `tag-${of}-${draws.below(counts.tagsOfGenre)}`;
  };
  const tagIds = [...new Set([tag(), tag(), tag()])];
  const actorIds = [...new Set([draws.zipf(counts.actors), draws.zipf(counts.actors)])].map(
    (actor) => `actor-${actor}`,
  );
  const genreId = `genre-${genre}`;
  return {
    id: `video-${String(index).padStart(6, "0")}`,
    title: `Video ${index}`,
    publishedAtMs: 0,
    durationS,
    impressions: 0,
    viewsToday: 0,
    rewardSum: 0,
    rewardCount: 0,
    actorIds,
    tagIds,
    genreId,
    labelIds: [...actorIds, ...tagIds, genreId],
    // Most scenes stay within a genre.
    scene:
      draws.next() < 0.5
        ? genre + counts.genres * draws.below(counts.scenes / counts.genres)
        : draws.below(counts.scenes),
    appeal: 0.36 * draws.normal(),
  };
}

function createVisitor(
  videos: readonly TasteVideo[],
  draws: Draws,
  random: Random,
  playsEach: number,
): TasteVisitor {
  const pickSome = (count: number, of: number) =>
    new Set(Array.from({ length: count }, () => draws.below(of)));
  const genres = pickSome(3, counts.genres);
  const scenes = pickSome(4, counts.scenes);
  const actors = pickSome(12, counts.actors);
  const tags = new Set(
    Array.from(
      { length: 12 },
      () => `tag-${draws.pick([...genres])}-${draws.below(counts.tagsOfGenre)}`,
    ),
  );
  const liking = (video: TasteVideo) =>
    video.appeal +
    love.genre * (genres.has(Number(video.genreId.slice(6))) ? 1 : -0.3) +
    love.tag * video.tagIds.filter((id) => tags.has(id)).length +
    love.actor * video.actorIds.filter((id) => actors.has(Number(id.slice(6)))).length +
    love.scene * (scenes.has(video.scene) ? 1 : 0);
  const whims = draws.below(2 ** 31);
  const whimOf = (video: TasteVideo) =>
    love.whim * createRandom(whims ^ hashText(video.id)).normal();
  const meanOf = (video: TasteVideo) => 1 / (1 + Math.exp(0.5 - liking(video) - whimOf(video)));

  const plays = new Map<TasteVideo, number>();
  while (plays.size < Math.min(playsEach, videos.length / 2)) {
    // Popular videos, plus the most attractive of some random ones.
    const seen = [
      videos[draws.zipf(videos.length)],
      ...Array.from({ length: 4 }, () => draws.pick(videos)),
    ];
    const offered = seen.flatMap((video) => video ?? []).filter((video) => !plays.has(video));
    const best = offered.toSorted((a, b) => liking(b) - liking(a))[0];
    const video = draws.next() < 0.3 ? offered[0] : best;
    if (video === undefined) continue;
    const mean = meanOf(video);
    const odds = sampleOdds(1.5 * mean, 1.5 * (1 - mean), random);
    // Odds of 1 to 0 are infinite.
    const watchTimeS = durationS / (1 + 1 / odds);
    plays.set(
      video,
      playReward({ watchTimeS, isCompleted: watchTimeS > 0.97 * durationS }, durationS),
    );
  }
  return {
    plays: [...plays].map(([video, reward]) => ({ video, reward })),
    playReward: meanOf,
  };
}
