import { readFileSync } from "node:fs";
import path from "node:path";
import { z } from "zod";
import { findCorpus } from "#test/shared-material.ts";

const manifest = z.object({
  files: z.array(
    z.object({
      file: z.string(),
      origin: z.string().optional(),
      expected: z.enum(["accept", "reject"]),
      duration: z.number().nullable(),
      width: z.number().optional(),
      height: z.number().optional(),
      why: z.string(),
      notes: z.array(z.string()),
    }),
  ),
});

type CorpusVideo = z.infer<typeof manifest>["files"][number];

const folder = findCorpus("media");

/** All files of the external corpus; empty if `KINORA_CORPUS` is unset. */
export const corpusFiles: CorpusVideo[] =
  folder === null
    ? []
    : manifest.parse(JSON.parse(readFileSync(path.join(folder, "manifest.json"), "utf8"))).files;

/**
 * Real files of the corpus. Leaves out its generated files, because test/sample-videos.ts and
 * test/refused-samples.ts cover those.
 */
export const corpusVideos: CorpusVideo[] = corpusFiles.filter(
  ({ origin }) => origin !== "generated",
);

export const hasCorpusVideos = folder !== null;

export function corpusPath(file: string): string {
  return path.join(folder ?? "", file);
}

/**
 * Durations found by decoding, for files whose manifest repeats a wrong header (32 fragments of a
 * thirtieth of a second).
 */
const countedS: Record<string, number> = { "sample_fragmented.mp4": 1.07 };

export function trueDurationS(video: CorpusVideo): number {
  return countedS[video.file] ?? video.duration ?? 0;
}
