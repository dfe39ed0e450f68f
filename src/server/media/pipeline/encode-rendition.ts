import { mkdir } from "node:fs/promises";
import { makeRendition, type RenditionChoice, type RenditionOutput } from "./ladder.step.ts";
import type { PipelineContext } from "./pipeline-context.ts";
import { scanSource, type ProcessJob } from "./process-video.ts";

export interface RenditionJob
  extends Pick<ProcessJob, "sourcePath" | "facts" | "workDir" | "signal">, RenditionChoice {}

/** Makes one more rendition for a ladder that is stored. */
export async function encodeRendition(
  pipeline: PipelineContext,
  { sourcePath, facts, workDir, signal, ...choice }: RenditionJob,
): Promise<RenditionOutput> {
  await mkdir(workDir, { recursive: true });
  const source = await scanSource(pipeline, { sourcePath, facts, workDir, signal });
  return makeRendition(pipeline, source, choice);
}
