import { z } from "zod";
import { videoStatus } from "../videos/videos.ts";

/** Message of `GET /api/admin/events` (server-sent events). */
export const adminEvent = z.discriminatedUnion("type", [
  z.object({
    type: z.literal("video"),
    id: z.string(),
    status: videoStatus,
    progress: z.number().nullable(),
    failureReason: z.string().nullable(),
    isPublished: z.boolean(),
    thumbnail: z.string().nullable(),
    version: z.number(),
  }),
  /** A bulk action has changed. Its state is read from `GET /api/admin/bulk`. */
  z.object({ type: z.literal("bulk"), id: z.string() }),
]);
export type AdminEvent = z.infer<typeof adminEvent>;
export type VideoEvent = Extract<AdminEvent, { type: "video" }>;
