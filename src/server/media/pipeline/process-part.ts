import { mkdir } from "node:fs/promises";
import type { LadderPart } from "../plan/ladder-parts.ts";
import type { Renditions } from "../plan/renditions.ts";
import { makeRenditions, type LadderChoice } from "./ladder.step.ts";
import type { MediaFile } from "./media-file.ts";
import type { PipelineContext } from "./pipeline-context.ts";
import { scanSource, type ProcessJob } from "./process-video.ts";

export interface PartJob
  extends Pick<ProcessJob, "sourcePath" | "facts" | "workDir" | "signal">, LadderChoice {
  part: Pick<LadderPart, "sides" | "hasSound">;
  /** In AV1 instead of H.264. */
  isAv1?: boolean;
  /** With the high dynamic range of the source, in AV1. */
  isHdr?: boolean;
  /** Of this part, 0 to 1. */
  onProgress?: (share: number) => void;
}

export interface PartOutput {
  files: MediaFile[];
  renditions: Renditions;
}

/** Makes some renditions of a ladder, as one of several workers. */
export async function processPart(pipeline: PipelineContext, job: PartJob): Promise<PartOutput> {
  await mkdir(job.workDir, { recursive: true });
  const source = await scanSource(pipeline, job);
  const { part, crf, gainDb, isLoudnessEven, isAv1, isHdr } = job;
  return makeRenditions(
    pipeline,
    source,
    { part, crf, gainDb, isLoudnessEven, isAv1, isHdr },
    (outTimeS) => job.onProgress?.(outTimeS / source.facts.durationS),
  );
}
