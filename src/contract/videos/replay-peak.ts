import { z } from "zod";

/** GET /api/videos/{id}/replays: the most replayed part in seconds; null if none stands out. */
export const replayPeakResponse = z.object({
  peak: z.object({ fromS: z.number(), toS: z.number() }).nullable(),
});
