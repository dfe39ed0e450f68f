import { z } from "zod";
import { cutLimits } from "./kept-parts.ts";

const keptPart = z.object({
  startS: z.number().min(0).max(1e7),
  endS: z.number().positive().max(1e7),
});

/** Body of PUT /api/admin/videos/{id}/cut. */
export const cutBody = z.object({
  /** In times of the video as it plays now. */
  parts: z.array(keptPart).min(1, "Keep at least one part").max(cutLimits.maxParts),
  /** `video` cuts the video itself, `draft` makes a new draft of these parts. */
  target: z.enum(["video", "draft"]),
  /** True to return what the cut would drop without cutting. */
  dryRun: z.boolean().default(false),
  /** Version of the video that the user saw. */
  version: z.number().int(),
});
export type CutBody = z.input<typeof cutBody>;

/** Length after a cut, and the captions, chapters and times that fall into its removed parts. */
const cutEffect = z.object({
  durationS: z.number(),
  captionLines: z.number().int(),
  /** Titles. */
  chapters: z.array(z.string()),
  /** Seconds. */
  midrollTimes: z.array(z.number()),
  /** Number of comments that mention a time in a removed part. That time becomes the time of the cut. */
  comments: z.number().int(),
});
export type CutEffect = z.infer<typeof cutEffect>;

export const cutResult = z.object({
  effect: cutEffect,
  /** The processed video or the new draft; null for a dry run. */
  videoId: z.uuid().nullable(),
});
export type CutResult = z.infer<typeof cutResult>;

/** GET /api/admin/videos/{id}/cut: whether a video can be cut, and whether that can be undone. */
export const cutState = z.object({
  version: z.number().int(),
  /** Why the video can't be cut at the moment, or null. */
  problem: z.string().nullable(),
  /** Number of parts that it consists of; null if it isn't cut. */
  partCount: z.number().int().nullable(),
  /** False if the original of a cut video is gone. */
  canUndo: z.boolean(),
  /** Time at which the original is deleted, so that the cut can't be undone; null if it stays. */
  undoUntil: z.iso.datetime().nullable(),
  /** Days for which a cut can be undone; null if that isn't limited. */
  undoDays: z.number().int().nullable(),
  /** True if the original is gone, so that the best rendition is the source of a cut. */
  isFromRendition: z.boolean(),
});
export type CutState = z.infer<typeof cutState>;

/** Query of DELETE /api/admin/videos/{id}/cut. */
export const undoCutQuery = z.object({ version: z.coerce.number().int().optional() });
