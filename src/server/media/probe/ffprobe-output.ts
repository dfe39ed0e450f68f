import { z } from "zod";
import type { Ratio } from "../facts/media-facts.ts";

/** Parses "30000/1001" or "16:9". Returns null for "0/0", "N/A" and other text. */
export function parseRatio(text: string | undefined): Ratio | null {
  const match = /^(\d+)[/:](\d+)$/.exec(text ?? "");
  const num = Number(match?.[1] ?? 0);
  const den = Number(match?.[2] ?? 0);
  return num > 0 && den > 0 ? { num, den } : null;
}

/** ffprobe writes numbers as text. "N/A" means unknown. */
const seconds = z
  .string()
  .optional()
  .transform((text) => {
    const value = Number(text);
    return text !== undefined && text !== "" && Number.isFinite(value) ? value : null;
  });

const sideData = z.object({
  side_data_type: z.string().optional(),
  displaymatrix: z.string().optional(),
  dv_profile: z.number().optional(),
  dv_bl_signal_compatibility_id: z.number().optional(),
});

export const probedStream = z.object({
  index: z.number().int(),
  /** Track id as "0x1". Only in MP4. */
  id: z.string().optional(),
  codec_type: z.string().optional(),
  codec_name: z.string().optional(),
  codec_tag_string: z.string().optional(),
  profile: z.string().optional(),
  level: z.number().optional(),
  width: z.number().int().optional(),
  height: z.number().int().optional(),
  pix_fmt: z.string().optional(),
  sample_aspect_ratio: z.string().optional(),
  field_order: z.string().optional(),
  avg_frame_rate: z.string().optional(),
  r_frame_rate: z.string().optional(),
  nb_frames: z.string().optional(),
  start_time: seconds,
  duration: seconds,
  channels: z.number().int().optional(),
  channel_layout: z.string().optional(),
  sample_rate: z.string().optional(),
  disposition: z.record(z.string(), z.number()).default({}),
  tags: z.record(z.string(), z.string()).default({}),
  side_data_list: z.array(sideData).default([]),
});
export type ProbedStream = z.infer<typeof probedStream>;

export const probedInfo = z.object({
  streams: z.array(probedStream).default([]),
  chapters: z
    .array(
      z.object({
        start_time: seconds,
        end_time: seconds,
        tags: z.record(z.string(), z.string()).default({}),
      }),
    )
    .default([]),
  format: z
    .object({ duration: seconds, start_time: seconds })
    .default({ duration: null, start_time: null }),
});
export type ProbedInfo = z.infer<typeof probedInfo>;

export const probedFrame = z.object({
  stream_index: z.number().int().optional(),
  media_type: z.string().optional(),
  width: z.number().int().optional(),
  height: z.number().int().optional(),
  pix_fmt: z.string().optional(),
  sample_aspect_ratio: z.string().optional(),
  interlaced_frame: z.number().optional(),
  color_range: z.string().optional(),
  color_space: z.string().optional(),
  color_primaries: z.string().optional(),
  color_transfer: z.string().optional(),
  best_effort_timestamp_time: seconds,
});
export type ProbedFrame = z.infer<typeof probedFrame>;

export const probedFrames = z.object({ frames: z.array(probedFrame).default([]) });

/** Parses the output of ffprobe. Returns null unless it is JSON that matches the schema. */
export function parseProbe<T>(schema: z.ZodType<T>, stdout: Buffer): T | null {
  try {
    const parsed = schema.safeParse(JSON.parse(stdout.toString("utf8")));
    return parsed.success ? parsed.data : null;
  } catch {
    return null;
  }
}
