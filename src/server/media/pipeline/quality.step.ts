import { planLimits } from "../facts/process-limits.ts";
import {
  chooseCrf,
  parseTrial,
  planSamples,
  trialArgs,
  trialCrfs,
  usualCrf,
  type Trial,
} from "../plan/quality.ts";
import { planRungs } from "../plan/rungs.ts";
import { toFps } from "../facts/media-facts.ts";
import { isFileFailure } from "../run/media-process-error.ts";
import type { PipelineContext, SourceVideo } from "./pipeline-context.ts";

/**
 * Encodes samples of a source at the size of its largest rendition up to 1080 lines, and returns
 * the CRF for its ladder. The same source always gets the same CRF. Samples that can't be encoded
 * are ignored.
 */
export async function chooseQuality(
  pipeline: PipelineContext,
  { facts, fps, sourcePath, signal }: SourceVideo,
): Promise<number> {
  const { starts, lengthS } = planSamples(facts.durationS);
  const [rung] = planRungs(facts.video.width, facts.video.height, toFps(fps));
  if (rung === undefined) return usualCrf;
  const trials: Trial[] = [];
  for (const startS of starts) {
    try {
      const { stderr } = await pipeline.tools.ffmpeg({
        name: "trial",
        args: trialArgs(facts, sourcePath, {
          rung,
          fps,
          startS,
          lengthS,
          threads: pipeline.threads,
          abilities: pipeline.report,
        }),
        cwd: pipeline.emptyDir,
        inputs: [sourcePath],
        isLowPriority: true,
        limits: planLimits(facts, {
          decodedS: lengthS + 10,
          encodedRungs: trialCrfs.length,
          threads: pipeline.threads,
        }),
        signal,
      });
      const trial = parseTrial(stderr, fps);
      if (trial !== null) trials.push(trial);
    } catch (error) {
      if (!isFileFailure(error)) throw error;
      pipeline.logger.info({ err: error }, "couldn't encode a sample");
    }
  }
  const crf = chooseCrf(trials, rung);
  pipeline.logger.info({ crf, trials }, "quality chosen");
  return crf;
}
