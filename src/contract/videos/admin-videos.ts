import { z } from "zod";
import type { Action } from "../accounts/policy.ts";
import { isInstant } from "../text-formats.ts";
import { limits } from "../limits.ts";
import { pageQuery, queryBool, queryText } from "../lists/paging.ts";
import { labelKinds, labelName } from "../lists/labels.ts";
import { clipFate } from "./clips.ts";
import { sameFile, videoEmbedding, visibility } from "./videos.ts";

/** States by which the back office filters videos. They overlap: a failed video is a draft too. */
export const adminVideoStates = [
  "published",
  "draft",
  "scheduled",
  "processing",
  "failed",
] as const;
export type AdminVideoState = (typeof adminVideoStates)[number];

export const adminVideoSorts = ["created", "title", "views", "likes", "duration", "size"] as const;
export type AdminVideoSort = (typeof adminVideoSorts)[number];

/** Filter of the list, and of bulk actions on all videos that match. */
const adminVideoFilter = z.object({
  search: z.string().trim().max(limits.searchMax).optional(),
  state: z.enum(adminVideoStates).optional(),
  visibility: visibility.optional(),
  premium: z.boolean().optional(),
  category: z.string().max(200).optional(),
  tag: z.string().max(200).optional(),
  actor: z.string().max(200).optional(),
});
export type AdminVideoFilter = z.infer<typeof adminVideoFilter>;

export const adminVideoQuery = pageQuery.extend({
  search: queryText(),
  state: z
    .enum(adminVideoStates, { error: `must be one of ${adminVideoStates.join(", ")}` })
    .optional(),
  visibility: visibility.optional(),
  premium: queryBool,
  category: queryText(),
  tag: queryText(),
  actor: queryText(),
  sort: z
    .enum(adminVideoSorts, { error: `must be one of ${adminVideoSorts.join(", ")}` })
    .optional(),
  order: z.enum(["asc", "desc"], { error: "must be asc or desc" }).optional(),
});
export type AdminVideoQuery = z.infer<typeof adminVideoQuery>;

const names = z.array(labelName).min(1, "Enter at least one name").max(limits.labelsPerVideoMax);

const bulkAction = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("publish") }),
  z.object({ kind: z.literal("unpublish") }),
  z.object({ kind: z.literal("delete"), clips: clipFate.optional() }),
  z.object({ kind: z.literal("reprocess") }),
  z.object({ kind: z.literal("set_premium"), isPremium: z.boolean() }),
  z.object({ kind: z.literal("set_embedding"), embedding: videoEmbedding }),
  z.object({ kind: z.literal("add_labels"), label: z.enum(labelKinds), names }),
  z.object({ kind: z.literal("remove_labels"), label: z.enum(labelKinds), names }),
]);
export type BulkAction = z.infer<typeof bulkAction>;

/** Permissions that bulk actions require. */
export const bulkPermissions: Record<BulkAction["kind"], Action> = {
  publish: "content.publish",
  unpublish: "content.publish",
  delete: "content.remove",
  reprocess: "content.edit",
  set_premium: "content.edit",
  set_embedding: "content.edit",
  add_labels: "content.edit",
  remove_labels: "content.edit",
};

/** Maximum number of video IDs in a bulk action. */
export const bulkIdsMax = 1000;

/** Selected videos, or all videos that match a filter when the job starts. */
const bulkTarget = z.union([
  z.object({ ids: z.array(z.uuid()).min(1).max(bulkIdsMax) }),
  z.object({ filter: adminVideoFilter }),
]);
export type BulkTarget = z.infer<typeof bulkTarget>;

export const bulkRequest = z.object({ action: bulkAction, target: bulkTarget });
export type BulkRequest = z.infer<typeof bulkRequest>;

/** Request for the estimated effect of a bulk action. */
export const bulkPlanRequest = bulkRequest.pick({ target: true });

const bulkStates = ["waiting", "running", "done", "cancelled", "failed"] as const;

export const bulkJob = z.object({
  id: z.uuid(),
  action: bulkAction,
  state: z.enum(bulkStates),
  total: z.number().int(),
  /** Number of videos handled so far, including those that needed no change. */
  done: z.number().int(),
  /** Number of changed videos. */
  changed: z.number().int(),
  failureReason: z.string().nullable(),
  createdAt: z.iso.datetime(),
  createdBy: z.string(),
});
export type BulkJob = z.infer<typeof bulkJob>;
export const bulkJobList = z.array(bulkJob);

/** `null` cancels the schedule. A time in the past publishes immediately. */
export const scheduleBody = z.object({
  publishAt: z.iso
    .datetime({ offset: true, error: "must be a date and time" })
    .refine(isInstant, "must be a date from 1970 to 9999")
    .nullable(),
});

/** Secret address of a private video. */
export const privateLink = z.object({
  /** Path below the site's address; null if there is no link. */
  path: z.string().nullable(),
  /** Null if the link never expires. */
  expiresAt: z.iso.datetime().nullable(),
});
export type PrivateLink = z.infer<typeof privateLink>;

export const privateLinkBody = z.object({
  expiresAt: z.iso
    .datetime({ offset: true, error: "must be a date and time" })
    .refine(isInstant, "must be a date from 1970 to 9999")
    .nullable(),
});
export type PrivateLinkBody = z.infer<typeof privateLinkBody>;

export const privateLinkParams = z.object({ secret: z.string().min(1).max(200) });

/** New file of a video, or its new renditions, until they replace the old ones. */
const videoReplacement = z.object({
  /** Reprocessing started; the file stays. */
  isRenewal: z.boolean(),
  state: z.enum(["processing", "failed"]),
  progress: z.number(),
  /** Set also while processing waits for something. */
  failureReason: z.string().nullable(),
  uploadedAt: z.iso.datetime(),
  uploadedBy: z.string(),
});
export type VideoReplacement = z.infer<typeof videoReplacement>;

/** Purposes of a video's files, in display order. */
export const videoFileKinds = [
  "progressive",
  "small",
  "rendition",
  "efficient",
  "hdr",
  "sound",
  "picture",
  "other",
] as const;

/** GET /api/admin/videos/{id}/files: files of a video, in bytes. */
export const videoFileList = z.object({
  /** Null if the original is not stored. */
  originalBytes: z.number().nullable(),
  replacement: videoReplacement.nullable(),
  /** Other videos with the same source file. */
  sameFileAs: z.array(sameFile),
  files: z.array(
    z.object({
      kind: z.enum(videoFileKinds),
      /** Pixels of the shorter side of a rendition. */
      height: z.number().int().nullable(),
      sizeBytes: z.number(),
    }),
  ),
});
export type VideoFileList = z.infer<typeof videoFileList>;
