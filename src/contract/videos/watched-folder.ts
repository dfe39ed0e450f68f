import { z } from "zod";

/** State of the watched import folder. */
const watchState = {
  /** Last time that the folder could be read. Null if never. */
  lookedAt: z.iso.datetime().nullable(),
  /** Why the folder can't be read now, or null. */
  problem: z.string().nullable(),
  /** Number of files that are still checked for changes, queued, or retried later. */
  waiting: z.number().int(),
  failed: z.number().int(),
};

export const watchSummary = z.object(watchState);

/** GET /api/admin/watched-folder. */
export const watchedFolder = z.object({
  isOn: z.boolean(),
  ...watchState,
  /** Latest files: first those that failed, then those that wait, then imported ones. */
  files: z.array(
    z.object({
      path: z.string(),
      state: z.enum(["waiting", "done", "failed"]),
      /** Why it failed or still waits, or what was repaired. Null if there is nothing to say. */
      note: z.string().nullable(),
      videoId: z.uuid().nullable(),
      at: z.iso.datetime(),
    }),
  ),
});
export type WatchedFolder = z.infer<typeof watchedFolder>;

/** How long the size and time of a file must not change before it is imported, in seconds. */
export const watchRest = { min: 5, max: 3600 } as const;
