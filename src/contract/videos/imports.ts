import { z } from "zod";
import type { Action } from "../accounts/policy.ts";

/** Kinds of data that can be exported to CSV and imported. */
export const csvKinds = ["videos", "categories", "tags", "actors", "ads", "referrals"] as const;
export type CsvKind = (typeof csvKinds)[number];

/** Kinds of imports: CSV, and the videos of another site. */
const importKinds = [...csvKinds, "site"] as const;
export type ImportKind = (typeof importKinds)[number];

const labels = { read: "content.read", edit: "content.edit" } as const;

/** Permissions needed to export and to import each kind. */
export const csvActions = {
  videos: labels,
  categories: labels,
  tags: labels,
  actors: labels,
  ads: { read: "ads.read", edit: "ads.approve" },
  referrals: { read: "referrals.read", edit: "referrals.edit" },
} as const satisfies Record<CsvKind, { read: Action; edit: Action }>;

/** Permissions needed for each kind of import. */
export const importActions: Readonly<Record<ImportKind, { read: Action; edit: Action }>> = {
  ...csvActions,
  site: labels,
};

/**
 * Columns that an import reads. Exports contain additional columns for people, which imports
 * ignore.
 */
export const importFields = {
  videos: [
    "id",
    "slug",
    "title",
    "description",
    "categories",
    "tags",
    "actors",
    "isPublished",
    "visibility",
    "isPremium",
    "isSensitive",
    "embedding",
    "blockedCountries",
    "translations",
    "file",
    "address",
  ],
  categories: ["id", "slug", "name", "description", "isSeries", "videos", "isPodcast"],
  tags: ["id", "slug", "name", "description", "isSeries", "videos", "isPodcast"],
  actors: ["id", "slug", "name", "description", "isSeries", "videos", "isPodcast"],
  ads: [
    "id",
    "title",
    "description",
    "type",
    "placement",
    "content",
    "imageUrl",
    "linkUrl",
    "vastTagUrl",
    "startDate",
    "endDate",
    "isActive",
    "trust",
    "widthPx",
    "heightPx",
    "weight",
    "visitorDailyCap",
    "dailyLimit",
    "totalLimit",
    "hasEvenPacing",
    "isHouse",
    "targetCategories",
    "targetDevices",
    "targetLanguages",
    "origins",
    "ignoresBreakRules",
    "isBumper",
  ],
  referrals: ["id", "code", "name", "target", "note", "isActive"],
} as const satisfies Record<CsvKind, readonly string[]>;

export const importLimits = {
  /** Size limit of one file. */
  maxBytes: 200 * 1024 * 1024,
  maxRows: 500_000,
  maxColumns: 100,
  /** The order of a series with 10,000 videos fits in. */
  maxCellLength: 1_000_000,
  /** Maximum number of addresses or files in one media list. */
  maxMedia: 1000,
  /** Number of problems in one response. The CSV of problems contains all of them. */
  shownProblems: 100,
} as const;

/** Fields that the columns of the file fill, in order. Null leaves a column out. */
const importMapping = z.array(z.string().max(100).nullable()).max(importLimits.maxColumns);

const importStates = [
  // The file has arrived. A user must assign its columns.
  "draft",
  "checking",
  "checked",
  "running",
  "done",
  "cancelled",
  "failed",
] as const;

export const importJob = z.object({
  id: z.uuid(),
  kind: z.enum(importKinds),
  fileName: z.string(),
  state: z.enum(importStates),
  columns: z.array(z.string()),
  mapping: importMapping,
  total: z.number().int(),
  /** Rows that the running pass has handled. */
  done: z.number().int(),
  created: z.number().int(),
  updated: z.number().int(),
  unchanged: z.number().int(),
  problems: z.number().int(),
  failureReason: z.string().nullable(),
  /** Disk space and processing time that an import from another site needs. */
  note: z.string().nullable(),
  createdAt: z.iso.datetime(),
  createdBy: z.string(),
});
export type ImportJob = z.infer<typeof importJob>;

export const importList = z.array(importJob);

/** Import with the first of its problems. `line` counts from 1 and includes the header. */
export const importDetails = importJob.extend({
  problemRows: z.array(z.object({ line: z.number().int(), name: z.string(), problem: z.string() })),
  /** First videos of another site in which something was repaired or left out. */
  notedRows: z.array(z.object({ line: z.number().int(), name: z.string(), note: z.string() })),
  /** Map of old addresses that is added after the videos of another site. Null for none. */
  redirects: z.string().nullable(),
  /** First cells of the file, shown beside the choice of columns. */
  sample: z.array(z.array(z.string())),
});
export type ImportDetails = z.infer<typeof importDetails>;

export const importQuery = z.object({ name: z.string().trim().max(200).optional() });
export const checkBody = z.object({ mapping: importMapping });

/** Video files in the import folder. Their paths are relative to it. */
export const importFolder = z.object({
  /** Null if the operator hasn't configured a folder. */
  files: z.array(z.object({ path: z.string(), sizeBytes: z.number() })).nullable(),
  /** True if there are more files than listed. */
  hasMore: z.boolean(),
});
export type ImportFolder = z.infer<typeof importFolder>;
