import { AppError, hasCode } from "#server/lib/app-error.ts";
import { isUnwritable } from "#server/storage/disk-error.ts";
import { lastLines, MediaProcessError, UnverifiedOutputError } from "../run/media-process-error.ts";
import type { PipelineContext, SourceVideo, MediaFile } from "./pipeline-context.ts";
import { verifyOutput } from "./verify-output.ts";

const names = { poster: "poster", preview: "preview", storyboard: "storyboard" };

/** Kind of file that a video plays without. */
export type OptionalRole = keyof typeof names;

/** Files of a step, and the kinds that are left out. */
export interface OptionalOutput {
  files: MediaFile[];
  skipped: OptionalRole[];
  /** Notices for the admin about what is left out and why. */
  notices: string[];
}

/**
 * Makes and verifies files that a video plays without. If two attempts fail in the same way, the
 * source or the plan is the cause and a third one would fail, too. The files are then left out.
 * @throws errors of the environment, and those that differ the second time.
 */
export async function makeOptional(
  pipeline: PipelineContext,
  source: SourceVideo,
  role: OptionalRole,
  make: () => Promise<MediaFile[]>,
): Promise<OptionalOutput> {
  let before: string | null = null;
  for (;;) {
    try {
      const files = await make();
      await verifyOutput(pipeline, source, files);
      return { files, skipped: [], notices: [] };
    } catch (error) {
      source.signal?.throwIfAborted();
      const problem = repeatableProblem(error);
      if (problem === null || (before !== null && before !== problem)) throw error;
      pipeline.logger.warn({ err: error, role, isSecond: before !== null }, "an output failed");
      if (before === problem) {
        const notice = `Couldn't make the ${names[role]}, twice for the same reason: ${problem.replace(/\.$/, "")}.`;
        return { files: [], skipped: [role], notices: [notice] };
      }
      before = problem;
    }
  }
}

export const joinOutputs = (...outputs: readonly OptionalOutput[]): OptionalOutput => ({
  files: outputs.flatMap(({ files }) => files),
  skipped: outputs.flatMap(({ skipped }) => skipped),
  notices: outputs.flatMap(({ notices }) => notices),
});

/**
 * Returns what went wrong, if the same input can cause the same again. Returns null if the
 * environment is the cause.
 */
function repeatableProblem(error: unknown): string | null {
  if (error instanceof UnverifiedOutputError) {
    return error.mediaCause === "unverified" ? error.problem : null;
  }
  if (error instanceof MediaProcessError) {
    const isFile = error.mediaCause === "file" || error.mediaCause === "limits";
    // Addresses differ in every run.
    const line = lastLines(error.result.stderr, 1).replaceAll(/ ?@ 0x[0-9a-f]+/g, "");
    return isFile ? line || error.message : null;
  }
  // A tool that makes no file may report success.
  if (hasCode(error, "ENOENT") && !isUnwritable(error)) return "the file is missing";
  const isPlain = error instanceof Error && !(error instanceof AppError) && !("code" in error);
  return isPlain ? error.message : null;
}
