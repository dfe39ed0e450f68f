import { z } from "zod";

/** What it takes to make renditions of videos again, before it is begun. */
export const renewalPlan = z.object({
  /** Videos that were asked for. */
  videos: z.number().int(),
  /** Those of them whose renditions can be made again now. */
  ready: z.number().int(),
  /** Those whose renditions are being made again already. */
  underWay: z.number().int(),
  /** Processor time, estimated. */
  processorS: z.number(),
  /** What the storage holds more, at most, until the former files are deleted a day later. */
  extraBytes: z.number(),
});
export type RenewalPlan = z.infer<typeof renewalPlan>;
