import { createdAtMs } from "#server/lib/ids.ts";

/** Bounds on what one visitor, one address group and one hour can do to rankings. */
export const playRules = {
  /** Plays of one video by one address group that count in full per day; the k-th counts 1/k. */
  fullPerGroup: 5,
  /** Plays of one video that count in full in an hour, on a site without visitors. */
  fullPerHour: 3,
  /** Added per hourly view of the site, for older and for new videos. */
  fullPerSiteView: { old: 0.006, new: 0.03 },
  /** Age below which a video counts as new. */
  newVideoMs: 24 * 3_600_000,
  /** Weight of a visitor by number of engaged videos: up to one, two, three or more. */
  byEngaged: [0.1, 0.1, 0.5, 1],
  /** Cookie age below which a visitor counts as new. */
  newVisitorMs: 16 * 3_600_000,
  newVisitorWeight: 0.15,
} as const;

/** Visitor of a play, as far as its weight depends on them. */
interface PlayVisitor {
  visitorId: string;
  /** Number of videos that they watched for real, this one included. */
  engagedVideos: number;
}

/** Position of a play among the plays of its video. */
export interface PlayPlace {
  /** Position among the plays of its address group on this day, counted from 1. */
  inGroup: number;
  /** Sum of the address weights of this hour so far. */
  hourWeight: number;
  /** Views of the whole site per hour. */
  siteViewsPerHour: number;
  isNewVideo: boolean;
}

/**
 * Returns how much a play counts in rankings: `visitorWeight * groupShare * hourShare`.
 *
 * - `visitorWeight`: 0.1, 0.5, 1 with one, two, three engaged videos; times 0.15 for a new visitor. It
 *   grows with the visitor, and their earlier plays with it.
 * - `groupShare`: 1 for the first five, then 1/k. So n plays of a group count `5 + ln(n / 5)`.
 * - `hourShare`: `2 - hourWeight / H`, at most 1. H is 3 and 0.006 of the site's views per hour, of a new video
 *   0.03 of them. So one hour counts 2 H at most.
 */
export function playWeight(visitor: PlayVisitor, place: PlayPlace, nowMs: number): number {
  return visitorWeight(visitor, nowMs) * addressWeight(place);
}

export function visitorWeight({ visitorId, engagedVideos }: PlayVisitor, nowMs: number): number {
  const { byEngaged, newVisitorMs, newVisitorWeight } = playRules;
  const ofEngaged = byEngaged[Math.min(engagedVideos, byEngaged.length - 1)] ?? 1;
  const isNew = nowMs - createdAtMs(visitorId) < newVisitorMs;
  return isNew ? ofEngaged * newVisitorWeight : ofEngaged;
}

export function addressWeight(place: PlayPlace): number {
  const { inGroup, hourWeight, siteViewsPerHour, isNewVideo } = place;
  const { fullPerHour, fullPerSiteView } = playRules;
  const perView = isNewVideo ? fullPerSiteView.new : fullPerSiteView.old;
  const full = fullPerHour + perView * siteViewsPerHour;
  const groupShare = inGroup <= playRules.fullPerGroup ? 1 : 1 / inGroup;
  const hourShare = Math.max(0, Math.min(1, 2 - hourWeight / full));
  return groupShare * hourShare;
}

/**
 * Returns whether a like counts in rankings, by its position among the likes of the same video and
 * address group on this day, counted from 1. Of n likes, `5 + ln(n / 5)` count, like plays.
 */
export function isLikeRanked(inGroup: number): boolean {
  const { fullPerGroup } = playRules;
  const counted = (n: number) =>
    n <= fullPerGroup ? n : Math.floor(fullPerGroup + Math.log(n / fullPerGroup));
  return counted(inGroup) > counted(inGroup - 1);
}
