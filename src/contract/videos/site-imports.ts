import { z } from "zod";

/** Formats of other sites that can be imported. */
export const sourceFormats = ["yt-dlp", "peertube", "folder"] as const;
export type SourceFormat = (typeof sourceFormats)[number];

/** Names that become actors: the channel of a video, or the people that it lists. */
export const actorSources = ["channel", "cast"] as const;
export type ActorsFrom = (typeof actorSources)[number];

/** Import of another site from the server's import folder. */
export const siteImportBody = z.object({
  /** Folder or zip archive, relative to the import folder. Empty for all of it. */
  path: z.string().trim().max(1000).default(""),
  /** Null detects the format. */
  from: z.enum(sourceFormats).nullable().default(null),
  actorsFrom: z.enum(actorSources).nullable().default(null),
  publishes: z.boolean().default(false),
  counts: z.boolean().default(false),
  /** CSV file of old addresses, relative to the import folder. Empty for none. */
  redirects: z.string().trim().max(1000).default(""),
});
export type SiteImportBody = z.infer<typeof siteImportBody>;

/** GET /api/admin/videos/{id}/origin: where an imported video came from. Null for an upload. */
export const videoOrigin = z.object({
  origin: z.object({ source: z.string(), sourceId: z.string() }).nullable(),
});
