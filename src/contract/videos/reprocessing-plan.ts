import { z } from "zod";

/** Estimated cost of reprocessing videos, computed before it starts. */
export const reprocessingPlan = z.object({
  /** Number of requested videos. */
  videos: z.number().int(),
  /** Videos that can be reprocessed now. */
  ready: z.number().int(),
  /** Number of videos that are already being reprocessed. */
  underWay: z.number().int(),
  /** Processor time, estimated. */
  processorS: z.number(),
  /** Maximum additional storage until the former files are deleted a day later. */
  extraBytes: z.number(),
});
export type ReprocessingPlan = z.infer<typeof reprocessingPlan>;
