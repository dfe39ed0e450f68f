import { z } from "zod";
import { watchSummary } from "../videos/watched-folder.ts";
import { playDevices, playOrigins } from "../videos/play-origins.ts";

export const statisticsDays = [7, 30, 90] as const;
export type StatisticsDays = (typeof statisticsDays)[number];

/** GET /api/admin/statistics: sums per day in the site's time zone, oldest first, including today. */
export const adminStatistics = z.object({
  days: z.array(
    z.object({
      /** "2026-03-04". */
      date: z.iso.date(),
      plays: z.number(),
      watchTimeS: z.number(),
      likes: z.number(),
      adImpressions: z.number(),
      adClicks: z.number(),
    }),
  ),
  /** Sums over the same days a period earlier, for comparison. Leaves out today, which isn't over. */
  before: z.object({
    plays: z.number(),
    watchTimeS: z.number(),
    likes: z.number(),
    adImpressions: z.number(),
    adClicks: z.number(),
  }),
  topVideos: z.array(
    z.object({
      id: z.uuid(),
      slug: z.string(),
      title: z.string(),
      thumbnail: z.string().nullable(),
      plays: z.number(),
    }),
  ),
});
export type AdminStatistics = z.infer<typeof adminStatistics>;

/** GET /api/admin/system: the current state of the processing queue and the storage. */
export const adminSystem = z.object({
  queue: z.object({
    /** Number of videos that aren't playable yet. */
    processing: z.number().int(),
    /** Number of playable videos with missing renditions. */
    finishing: z.number().int(),
    failed: z.number().int(),
    /** First videos in the queue. */
    videos: z.array(
      z.object({
        id: z.uuid(),
        title: z.string(),
        status: z.enum(["processing", "ready"]),
        progress: z.number().nullable(),
      }),
    ),
  }),
  storage: z.object({
    originalBytes: z.number(),
    renditionBytes: z.number(),
    /** Null if unknown, as for an object store. */
    freeBytes: z.number().nullable(),
  }),
  /** When `npm run admin -- backup` last succeeded; null without a backup. */
  lastBackupAt: z.iso.datetime().nullable(),
  /** Null if the import folder isn't watched. */
  watchedFolder: watchSummary.nullable(),
});
export type AdminSystem = z.infer<typeof adminSystem>;

const usage = { originalBytes: z.number(), renditionBytes: z.number() };

/** GET /api/admin/storage: storage used by videos and users. */
export const adminStorage = z.object({
  ...usage,
  /** Files of removed videos that can be restored. */
  trashBytes: z.number(),
  freeBytes: z.number().nullable(),
  /** By uploader, largest first. Null for deleted users and for videos without an uploader. */
  users: z.array(
    z.object({
      id: z.uuid().nullable(),
      name: z.string().nullable(),
      videos: z.number(),
      ...usage,
    }),
  ),
  /** Largest videos. */
  videos: z.array(z.object({ id: z.uuid(), title: z.string(), ...usage })),
});
export type AdminStorage = z.infer<typeof adminStorage>;

const share = z.number().min(0).max(1);

/** Which parts of a video were played. */
const curve = z.object({
  /** Number of counted plays since the first one. */
  plays: z.number().int(),
  /**
   * Shares of these plays that showed each hundredth of the video, and that showed it again. Null below
   * 20 plays.
   */
  parts: z.object({ watching: z.array(share), replays: z.array(share) }).nullable(),
});
export type WatchedCurve = z.infer<typeof curve>;

const counts = z.array(z.object({ name: z.string(), plays: z.number().int() }));

const audience = {
  curve,
  /** Plays of the last days by country, as two letters; empty without `GEO_HEADER`. */
  countries: counts,
  devices: z.array(z.object({ device: z.enum(playDevices), plays: z.number().int() })),
};

/** GET /api/admin/statistics/audience: what visitors of the whole site watched. */
export const siteAudience = z.object({
  ...audience,
  origins: z.array(z.object({ origin: z.enum(playOrigins), plays: z.number().int() })),
});
export type SiteAudience = z.infer<typeof siteAudience>;

export const statisticsTables = ["curve", "sources", "days"] as const;

/** GET /api/admin/videos/{id}/statistics: the last 30 days (UTC) of one video, including today. */
export const videoStatistics = z.object({
  days: z.array(z.object({ date: z.iso.date(), plays: z.number(), watchTimeS: z.number() })),
  /** Number of recent engaged plays used for the retention curve. */
  retentionPlays: z.number().int(),
  /** Fractions of those plays that reached 0, 10, ... 100% of the video. */
  retention: z.array(z.number().min(0).max(1)),
  /** Origins of those plays, most frequent first. Leaves out plays of unknown origin. */
  origins: z.array(z.object({ origin: z.enum(playOrigins), plays: z.number().int() })),
  ...audience,
});
export type VideoStatistics = z.infer<typeof videoStatistics>;
