/**
 * Limits shared by the server and the browser. Names end with their unit.
 */
export const limits = {
  /** Default brand if no `siteName` is set. */
  defaultSiteName: "Kinora",

  publicPageSize: 12,
  adminPageSize: 10,
  feedPageSize: 20,
  maxPageSize: 100,
  maxOffset: 100_000,
  relatedCount: 6,
  paginationButtons: 5,

  bannerAdFetch: 5,
  videoAdFetch: 3,
  feedAdFetch: 5,
  feedAdEvery: 3,
  adSkipAfterS: 5,
  adAutoCompleteS: 15,
  /** Maximum time of a bumper, an ad that can't be skipped. */
  adBumperS: 6,
  /** Time without an ad's first frame after which the content starts. */
  adFirstFrameMs: 3000,

  toastMs: 3000,
  autoplayDelayMs: 300,
  swipeThresholdPx: 50,
  searchQuietMs: 500,
  midrollWindowS: 1,

  thumbnailWidth: 320,
  thumbnailHeight: 180,
  thumbnailQuality: 0.8,
  thumbnailAt: 0.25,

  /** 500 MB. `MAX_UPLOAD_BYTES` overrides it on the server, which informs the browser. */
  maxUploadBytes: 524_288_000,
  maxThumbnailBytes: 5 * 1024 * 1024,

  titleMax: 200,
  descriptionMax: 20_000,
  nameMax: 80,
  searchMax: 200,
  labelsPerVideoMax: 50,
} as const;

export const sortValues = ["newest", "most_viewed", "top_rated", "trending"] as const;
export type Sort = (typeof sortValues)[number];

export const timeRangeValues = ["today", "week", "month", "all"] as const;
export type TimeRange = (typeof timeRangeValues)[number];

/** Length of a video: under 4 minutes, up to 20, longer. */
export const lengthValues = ["short", "medium", "long"] as const;
export type LengthFilter = (typeof lengthValues)[number];

/** Published in the last 24 hours, 7, 30 or 365 days. */
export const dateValues = ["today", "week", "month", "year"] as const;
export type DateFilter = (typeof dateValues)[number];

/** Minimum resolutions: 720, 1080 and 2160 pixels on the shorter side. */
export const qualityValues = ["hd", "full_hd", "4k"] as const;
export type QualityFilter = (typeof qualityValues)[number];

export const defaultFilterCategories = ["African", "Ebony", "Teen"] as const;
