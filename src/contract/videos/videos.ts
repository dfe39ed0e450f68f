import { z } from "zod";
import { captionTrack } from "./captions.ts";
import { clipOrigin } from "./clips.ts";
import { videoEmbeddings } from "../site/embedding.ts";
import { countries } from "../visitors/countries.ts";
import {
  dateValues,
  lengthValues,
  limits,
  qualityValues,
  sortValues,
  timeRangeValues,
} from "../limits.ts";
import { watchedBinsPattern } from "./watched-bins.ts";
import { playOrigins } from "./play-origins.ts";
import { byLanguage, translation, translations, translationsInput } from "./translations.ts";
import { nameSeparator } from "../text.ts";
import { isUuid } from "../text-formats.ts";
import { labelNameOrEmpty } from "../lists/labels.ts";
import { seriesPlace } from "../lists/series.ts";
import { nameText } from "../lists/names.input.ts";
import { pageQuery, queryBool, queryText } from "../lists/paging.ts";

export const videoStatus = z.enum(["processing", "ready", "failed"]);
export type VideoStatus = z.infer<typeof videoStatus>;

/**
 * Public videos appear in lists. Unlisted ones are only at their address, and private ones only at
 * a secret address.
 */
export const visibilities = ["public", "unlisted", "private"] as const;
export const visibility = z.enum(visibilities, `must be one of ${visibilities.join(", ")}`);
export type Visibility = z.infer<typeof visibility>;

export const videoEmbedding = z.enum(
  videoEmbeddings,
  `must be one of ${videoEmbeddings.join(", ")}`,
);

const label = z.object({ id: z.uuid(), name: z.string(), slug: z.string() });
export type Label = z.infer<typeof label>;

/** Video in a path: its id or slug. */
export const videoParams = z.object({ id: z.string().min(1).max(200) });

/** Playback loudness in stereo (EBU R128). */
const loudness = z.object({
  /** Gated loudness of the whole track, in LUFS. */
  integratedLufs: z.number(),
  /** Highest true peak, in dBTP. */
  truePeakDb: z.number(),
  /** Difference between quiet and loud parts, in LU. */
  rangeLu: z.number(),
});
export type Loudness = z.infer<typeof loudness>;

/** Kinds of audio tracks: the original, an audio description, a dub, or commentary. */
const soundKinds = ["main", "description", "dub", "commentary"] as const;

const sound = z.object({
  name: z.string(),
  /** BCP 47; "und" if unknown. */
  language: z.string(),
  kind: z.enum(soundKinds),
  channels: z.number().int(),
});
export type VideoSound = z.infer<typeof sound>;

const chapter = z.object({ startS: z.number(), title: z.string() });
export type Chapter = z.infer<typeof chapter>;
const chapters = z.array(chapter).optional();

/** Video with the same source file, byte by byte. */
export const sameFile = z.object({ id: z.string(), slug: z.string(), title: z.string() });
export type SameFile = z.infer<typeof sameFile>;

/**
 * Video as it appears in every response. `duration` is in seconds. Counts are totals over all time.
 */
export const video = z.object({
  id: z.uuid(),
  slug: z.string(),
  title: z.string(),
  description: z.string().nullable(),
  /** Title, description and its chapters in other languages, if there are any. */
  translations: byLanguage(translation.extend({ chapters })).optional(),
  /** Thumbnail for cards, up to 640 by 640 px; `null` until it exists. The same as `thumbnailUrl`. */
  thumbnail: z.string().nullable(),
  thumbnailUrl: z.string().nullable(),
  /** Progressive MP4, playable everywhere; `null` until the first rendition exists. */
  videoUrl: z.string().nullable(),
  /** Poster for the player, up to 960 by 960 px; `null` until it exists. */
  posterUrl: z.string().nullable(),
  /** Progressive MP4 of at most 480p, for the feed and slow connections; `null` until it exists. */
  smallVideoUrl: z.string().nullable(),
  /** HLS multivariant playlist; `null` until the ladder exists. */
  hlsUrl: z.string().nullable(),
  /** Muted MP4 of 3 s, 320 px wide, for the hover preview. */
  previewUrl: z.string().nullable(),
  /** WebVTT with `#xywh` tiles. */
  storyboardUrl: z.string().nullable(),
  /**
   * Volume factors below 1 that make `videoUrl` (`file`), and `smallVideoUrl` and `hlsUrl`
   * (`ladder`), as loud as other videos. Absent if none is needed.
   */
  soundFactors: z.object({ file: z.number().optional(), ladder: z.number().optional() }).optional(),
  /** Audio tracks of `hlsUrl` if there are several, the default one first. */
  sounds: z.array(sound).optional(),
  /** Absent without captions. */
  captions: z.array(captionTrack).optional(),
  chapters,
  fileFormat: z.string(),
  duration: z.number().nonnegative(),
  width: z.number().int().nullable(),
  height: z.number().int().nullable(),
  views: z.number().int().nonnegative(),
  likes: z.number().int().nonnegative(),
  /** True if this visitor likes the video. Only the feed sets it. Elsewhere it is false. */
  isLiked: z.boolean(),
  isPublished: z.boolean(),
  isPremium: z.boolean(),
  /**
   * True if only members may play the video and the response isn't for one. It then has no
   * addresses of media, captions and chapters.
   */
  isLocked: z.boolean().optional(),
  /** Visitors get it only if the video isn't public. */
  visibility: visibility.optional(),
  /** True if cards blur the picture. */
  isSensitive: z.boolean().optional(),
  /** Overrides the site's setting for who may embed the video. Absent without an override. */
  embedding: videoEmbedding.optional(),
  status: videoStatus,
  createdAt: z.iso.datetime(),
  publishedAt: z.iso.datetime().nullable(),
  categories: z.array(z.object({ category: label })),
  tags: z.array(z.object({ tag: label })),
  actors: z.array(z.object({ actor: label })),
  /** Places in series. Absent in lists, and for a video that is in none. */
  series: z.array(seriesPlace).optional(),
  /** For a clip: the video it was made from. */
  clipOf: clipOrigin.optional(),
  /** True if visitors see clips of the video in lists. */
  hasClips: z.boolean().optional(),
  /** For admins only: why processing failed or waits, its progress, the version for edits, bytes stored. */
  failureReason: z.string().nullable().optional(),
  /** Sentences about source features that are dropped or changed in the renditions. */
  mediaNotices: z.array(z.string()).optional(),
  /** Null without sound, or until it is measured. */
  loudness: loudness.nullable().optional(),
  /** Only in the response to an upload: other videos with the same file. */
  sameFileAs: z.array(sameFile).optional(),
  progress: z.number().min(0).max(1).nullable().optional(),
  /** The video's own times of mid-rolls in seconds; null for those of the settings. */
  midrollTimes: z.array(z.number()).nullable().optional(),
  version: z.number().int().optional(),
  /** Number of its clips, with drafts. */
  clipCount: z.number().int().optional(),
  sizeBytes: z.number().nullable().optional(),
  /** Scheduled time of publication. */
  publishAt: z.iso.datetime().nullable().optional(),
  blockedCountries: z.array(z.string()).optional(),
});
export type Video = z.infer<typeof video>;

/** Videos that a request created, such as clips. */
export const createdVideos = z.object({ videos: z.array(video) });

/** Machine-readable form of `why`, for pages in other languages: see video-reasons.ts on the server. */
export const videoReason = z.object({
  kind: z.string(),
  name: z.string().optional(),
  count: z.number().optional(),
});

/** `why` is the reason, in English, why a video is in a list. Only ranked lists contain it. */
const listedVideo = video
  .omit({ captions: true, chapters: true, series: true, soundFactors: true, sounds: true })
  .extend({
    translations: translations.optional(),
    why: z.string().optional(),
    reason: videoReason.optional(),
    /** Number of the video in the series whose list this is, and the series as URLs name it. */
    part: z.object({ number: z.number().int(), in: z.string() }).optional(),
    /** Second at which the captions contain the searched words. */
    foundAtS: z.number().optional(),
  });
export const relatedList = z.array(listedVideo);
export type ListedVideo = z.infer<typeof listedVideo>;

const oneOf = <T extends string>(values: readonly [T, ...T[]]) =>
  z.enum(values, { error: `must be one of ${values.join(", ")}` }).optional();

export const videoListQuery = pageQuery.extend({
  search: queryText(),
  category: queryText(),
  tag: queryText(),
  actor: queryText(),
  /** `part` is the order of a series. It needs one label that is a series, and no other filter. */
  sort: oneOf([...sortValues, "part"]),
  timeRange: oneOf(timeRangeValues),
  length: oneOf(lengthValues),
  date: oneOf(dateValues),
  quality: oneOf(qualityValues),
  published: queryBool,
  cursor: queryText(1000),
});
export type VideoListQuery = z.infer<typeof videoListQuery>;

export const videoList = z.object({
  videos: z.array(listedVideo),
  total: z.number().int().nonnegative(),
  nextCursor: z.string().nullable(),
  /** Corrected search words, if nothing matched the words as typed. */
  didYouMean: z.string().optional(),
});
export type VideoList = z.infer<typeof videoList>;

export const watchBody = z.object({
  watchTime: z.number().min(0).max(1e7),
  completed: z.boolean(),
  /** Stored only with a report that counts a view. */
  origin: z.enum(playOrigins).optional(),
  /** Parts played since the page was opened, written as in `watchedBinsPattern`. */
  bins: z.string().regex(watchedBinsPattern, "must be at most 50 hexadecimal digits").optional(),
});
export const watchResponse = z.object({
  counted: z.boolean(),
  /**
   * Signed id of a new visitor, in responses to embeds, which send it back in the header `x-visitor`
   * because browsers may block cookies in frames on other sites.
   */
  visitor: z.string().optional(),
});

export const midrollResponse = z.object({ config: z.object({ times: z.array(z.number()) }) });

const names = z
  .array(labelNameOrEmpty)
  .max(limits.labelsPerVideoMax, `at most ${limits.labelsPerVideoMax} names`)
  .transform((list) => list.filter((name) => name !== ""));

const videoTitle = nameText(
  limits.titleMax,
  "Title is required",
  `Title can have at most ${limits.titleMax} characters`,
);

/** Body of PUT. Absent fields stay unchanged. `version`, if sent, prevents lost updates. */
export const videoUpdate = z.object({
  title: videoTitle.optional(),
  /** New address. The old one redirects to it. */
  slug: z
    .string()
    .trim()
    .toLowerCase()
    .normalize("NFC")
    .max(80, "The address can have at most 80 characters")
    .regex(
      /^[\p{L}\p{N}][\p{L}\p{N}\p{M}]*(-[\p{L}\p{N}][\p{L}\p{N}\p{M}]*)*$/u,
      "The address can only contain lowercase letters, digits and single hyphens",
    )
    .refine((slug) => !isUuid(slug), "The address can't look like an ID")
    .optional(),
  description: z.string().trim().max(limits.descriptionMax).nullable().optional(),
  translations: translationsInput.optional(),
  isPublished: z.boolean().optional(),
  visibility: visibility.optional(),
  isPremium: z.boolean().optional(),
  isSensitive: z.boolean().optional(),
  embedding: videoEmbedding.optional(),
  /** Times of mid-rolls in seconds; null for those of the settings, empty for none. */
  midrollTimes: z
    .array(z.number().positive().max(86_400))
    .max(20, "at most 20 times")
    .nullable()
    .optional(),
  blockedCountries: countries.optional(),
  categories: names.optional(),
  tags: names.optional(),
  actors: names.optional(),
  version: z.number().int().optional(),
});
export type VideoUpdate = z.infer<typeof videoUpdate>;

const commaNames = z
  .string()
  .max(8_000)
  .transform((text) => text.split(nameSeparator).map((name) => name.trim()))
  .pipe(names)
  .optional();

/** Text fields of the multipart upload. */
export const videoUploadFields = z.object({
  title: videoTitle,
  description: z
    .string()
    .trim()
    .max(limits.descriptionMax)
    .transform((text) => (text === "" ? null : text))
    .optional(),
  categories: commaNames,
  tags: commaNames,
  actors: commaNames,
  duration: z.coerce.number().min(0).max(1e7).optional(),
  isPremium: z
    .enum(["true", "false"], { error: "must be true or false" })
    .transform((value) => value === "true")
    .optional(),
});
