import { mkdir } from "node:fs/promises";
import { makeRendition, type RenditionChoice, type RenditionOutput } from "./ladder.step.ts";
import type { PipelineContext } from "./pipeline-context.ts";
import { expectFreeSpace, verifyOutput } from "./verify-output.ts";
import { scanSource, type ProcessJob } from "./process-video.ts";

export interface RenditionJob
  extends Pick<ProcessJob, "sourcePath" | "facts" | "workDir" | "signal">, RenditionChoice {}

/** Makes one more rendition for a stored ladder. */
export async function encodeRendition(
  pipeline: PipelineContext,
  { sourcePath, facts, workDir, signal, ...choice }: RenditionJob,
): Promise<RenditionOutput> {
  await mkdir(workDir, { recursive: true });
  const source = await scanSource(pipeline, { sourcePath, facts, workDir, signal });
  await expectFreeSpace(workDir);
  const output = await makeRendition(pipeline, source, choice);
  await verifyOutput(pipeline, source, output.files);
  return output;
}
