import { z } from "zod";
import { pageQuery } from "../lists/paging.ts";

/** Removed video, which can be restored until its files are deleted. */
const removedVideo = z.object({
  id: z.uuid(),
  title: z.string(),
  /** Seconds. */
  duration: z.number(),
  /** Null if the video has no thumbnail yet. */
  thumbnail: z.string().nullable(),
  sizeBytes: z.number(),
  removedBy: z.string(),
  removedAt: z.iso.datetime(),
  /** Time at which its files are deleted. */
  goesAt: z.iso.datetime(),
  /** Number of its clips, which are hidden until it is restored. */
  clips: z.number().int(),
});
export type RemovedVideo = z.infer<typeof removedVideo>;

export const trashQuery = pageQuery;
export type TrashQuery = z.infer<typeof trashQuery>;

export const trashList = z.object({
  videos: z.array(removedVideo),
  total: z.number().int(),
  sizeBytes: z.number(),
  /** True if a removed video has clips. */
  hasClips: z.boolean(),
  /** Retention setting in days. 0 deletes immediately. */
  keptDays: z.number().int(),
});
export type TrashList = z.infer<typeof trashList>;

export const emptiedTrash = z.object({ erased: z.number().int() });

export const trashParams = z.object({ id: z.uuid() });
