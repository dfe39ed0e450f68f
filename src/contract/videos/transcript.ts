import { z } from "zod";
import { captionLimits } from "./captions.ts";

export const transcriptLimits = {
  /** Maximum numbers of lines and characters in one response. */
  pageLines: 2000,
  pageCharacters: 100_000,
  /** Maximum length of the text in the structured data of a video page. */
  structuredDataMax: 5000,
  /** Maximum number of UTF-8 bytes that a transcript adds to the page of a video. */
  pageBytes: 15 * 1024,
} as const;

/** Text of one caption line, which is at most a few seconds long. */
const transcriptLine = z.object({ startS: z.number(), text: z.string() });

/** Lines that one person says without a long pause. */
const transcriptParagraph = z.object({ lines: z.array(transcriptLine) });
export type TranscriptParagraph = z.infer<typeof transcriptParagraph>;

/** Part of a caption track as a text to read. */
export const transcript = z.object({
  /** Address of the caption track. */
  track: z.string(),
  /** BCP 47, "und" if unknown. */
  language: z.string(),
  /** All tracks that are transcripts. */
  tracks: z.array(z.object({ url: z.string(), language: z.string(), name: z.string() })),
  paragraphs: z.array(transcriptParagraph),
  /** Number of the first paragraph of the next part. Null in the last part. */
  next: z.int().nullable(),
});
export type Transcript = z.infer<typeof transcript>;

export const transcriptQuery = z.object({
  /** Address of a caption track of the video. */
  track: z.string().max(500).optional(),
  /** Language to prefer if no track is named. */
  language: z.string().max(35).optional(),
  /** Number of the first paragraph. */
  from: z.coerce.number().int().min(0).max(captionLimits.maxLines).default(0),
});
export type TranscriptQuery = z.infer<typeof transcriptQuery>;
