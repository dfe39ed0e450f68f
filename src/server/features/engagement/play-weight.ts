/** Limits on how much one visitor, one address group and one hour can affect rankings. */
export const playRules = {
  /**
   * Number of plays of one video by one address group that count in full per day. The k-th play
   * after them counts 1/k.
   */
  fullPerGroup: 5,
  /** Number of plays of one video that count in an hour, from all visitors together. */
  perHour: 2.5,
  /**
   * Bonus per hourly view of the whole site while a video is new, so that its quality is learned soon.
   */
  newVideoBonus: 0.03,
  newVideoMs: 24 * 3_600_000,
  /**
   * Minimum share of a play beyond the hourly limit. Above 0, because a play of weight 0 is
   * implausible.
   */
  minShare: 0.0001,
  /** Weight of a visitor by engaged videos: none or one, two, three or more. */
  byEngaged: [0.1, 0.1, 0.5, 1],
} as const;

/** Position of a play among those of the same video. */
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
 * Returns how much a visitor's plays count in rankings: 0.1, 0.5 or 1 with one, two or three
 * engaged videos. If the visitor's weight grows, so does that of earlier plays.
 */
export function visitorWeight(engagedVideos: number): number {
  const { byEngaged } = playRules;
  return byEngaged[Math.min(engagedVideos, byEngaged.length - 1)] ?? 1;
}

/**
 * Returns how much a play counts based on its address and hour, at most 1. After the first five, an
 * address group's k-th play counts 1/k, so n plays count `5 + ln(n / 5)`. What is left of the
 * hourly limit also bounds it.
 */
export function addressWeight(place: PlayPlace): number {
  const { inGroup, hourWeight, siteViewsPerHour, isNewVideo } = place;
  const { fullPerGroup, perHour, newVideoBonus, minShare } = playRules;
  const ofHour = perHour + (isNewVideo ? newVideoBonus * siteViewsPerHour : 0);
  const groupShare = inGroup <= fullPerGroup ? 1 : 1 / inGroup;
  return Math.max(minShare, Math.min(groupShare, ofHour - hourWeight));
}

/**
 * Returns whether a view, completion or like counts in Trending and Top Rated, by its position among
 * those of the same video and address group on this day, counted from 1. Of n, `5 + ln(n / 5)` count,
 * like plays in For You.
 */
export function isRankedInGroup(inGroup: number): boolean {
  const { fullPerGroup } = playRules;
  const counted = (n: number) =>
    n <= fullPerGroup ? n : Math.floor(fullPerGroup + Math.log(n / fullPerGroup));
  return counted(inGroup) > counted(inGroup - 1);
}
