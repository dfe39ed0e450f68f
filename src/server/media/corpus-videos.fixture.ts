import { readFileSync } from "node:fs";
import path from "node:path";
import { z } from "zod";
import { findCorpus } from "../../../test/shared-material.ts";

const manifest = z.object({
  files: z.array(
    z.object({
      file: z.string(),
      expected: z.enum(["accept", "reject"]),
      duration: z.number().nullable(),
      width: z.number().optional(),
      height: z.number().optional(),
      why: z.string(),
      notes: z.array(z.string()),
    }),
  ),
});

export type CorpusVideo = z.infer<typeof manifest>["files"][number];

const folder = findCorpus("media");

/** The files of the outside corpus; empty where `KINORA_CORPUS` is unset. */
export const corpusVideos: CorpusVideo[] =
  folder === null
    ? []
    : manifest.parse(JSON.parse(readFileSync(path.join(folder, "manifest.json"), "utf8"))).files;

export const hasCorpusVideos = folder !== null;

export function corpusPath(file: string): string {
  return path.join(folder ?? "", file);
}

/**
 * The manifest repeats two headers that lie: what is really there was counted by decoding
 * (51 frames at 25 per second; 32 fragments of a thirtieth).
 */
const countedS: Record<string, number> = {
  "gen_trunc_faststart.mp4": 2.04,
  "sample_fragmented.mp4": 1.07,
};

export function trueDurationS(video: CorpusVideo): number {
  return countedS[video.file] ?? video.duration ?? 0;
}

/** Within a twentieth or a second, as the product promises. */
export function isDurationRight(actualS: number, expectedS: number): boolean {
  return Math.abs(actualS - expectedS) <= Math.max(1, expectedS * 0.05);
}
