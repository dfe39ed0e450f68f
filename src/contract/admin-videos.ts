import { z } from "zod";
import { limits } from "./limits.ts";
import { pageQuery, queryBool, queryText } from "./paging.ts";
import { taxonomyKinds } from "./taxonomy.ts";

/** How videos stand, as the back office filters them. They overlap: a failed one is a draft too. */
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

/** Which videos: the query of the list, and the "all that match" of bulk actions. */
export const adminVideoFilter = z.object({
  search: z.string().trim().max(limits.searchMax).optional(),
  state: z.enum(adminVideoStates).optional(),
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

const names = z
  .array(z.string().trim().min(1).max(limits.nameMax))
  .min(1, "Give at least one name")
  .max(limits.labelsPerVideoMax);

export const bulkAction = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("publish") }),
  z.object({ kind: z.literal("unpublish") }),
  z.object({ kind: z.literal("delete") }),
  z.object({ kind: z.literal("set_premium"), isPremium: z.boolean() }),
  z.object({ kind: z.literal("add_labels"), label: z.enum(taxonomyKinds), names }),
  z.object({ kind: z.literal("remove_labels"), label: z.enum(taxonomyKinds), names }),
]);
export type BulkAction = z.infer<typeof bulkAction>;

export const bulkRequest = z.object({
  action: bulkAction,
  /** Ticked ones, or everything that a filter finds when the job starts. */
  target: z.union([
    z.object({ ids: z.array(z.uuid()).min(1).max(1000) }),
    z.object({ filter: adminVideoFilter }),
  ]),
});
export type BulkRequest = z.infer<typeof bulkRequest>;

export const bulkStates = ["waiting", "running", "done", "cancelled", "failed"] as const;

export const bulkJob = z.object({
  id: z.uuid(),
  action: bulkAction,
  state: z.enum(bulkStates),
  total: z.number().int(),
  /** Looked at so far; those that were already as wanted count too. */
  done: z.number().int(),
  /** Really changed. */
  changed: z.number().int(),
  failureReason: z.string().nullable(),
  createdAt: z.iso.datetime(),
  createdBy: z.string(),
});
export type BulkJob = z.infer<typeof bulkJob>;
export const bulkJobList = z.array(bulkJob);

/** `null` takes the plan back. In the past means at once. */
export const scheduleBody = z.object({
  publishAt: z.iso.datetime({ offset: true, error: "must be a date and time" }).nullable(),
});
