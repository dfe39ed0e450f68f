import { z } from "zod";
import { afterUpload } from "./upload-item.ts";

export const rememberedUpload = z.object({
  id: z.string(),
  /** User who uploads it. */
  userId: z.string().optional(),
  name: z.string(),
  sizeBytes: z.number(),
  type: z.string(),
  /** Blob, or null. */
  thumbnail: z.unknown(),
  durationS: z.number().nullable(),
  form: z.object({
    title: z.string(),
    description: z.string(),
    categories: z.string(),
    tags: z.string(),
    actors: z.string(),
    isPremium: z.boolean(),
    outcome: z.enum(afterUpload).optional(),
    publishAt: z.string().optional(),
  }),
  uploadUrl: z.string().nullable(),
  /** True once the user has submitted the form. The upload then finishes without further input. */
  isSubmitted: z.boolean(),
  /** Shows that the back office stored the upload in this session (`upload-memory.ts`). */
  seal: z.string().optional(),
});
