import type { Loudness } from "#contract/videos/videos.ts";
import { planAudioFilter, soundOptions } from "../plan/encode-options.ts";
import { measureFilter, parseLoudness } from "../plan/loudness.ts";
import { openSource } from "../plan/open-source.ts";
import { planLimits } from "../facts/process-limits.ts";
import type { AudioFacts } from "../facts/media-facts.ts";
import { isFileFailure } from "../run/media-process-error.ts";
import type { PipelineContext, SourceVideo } from "./pipeline-context.ts";

/**
 * Decodes an audio track once, with the given number of channels, and measures it. Returns null for
 * silence and for tracks that can't be measured.
 */
export async function measureLoudness(
  pipeline: PipelineContext,
  { facts, sourcePath, signal }: Pick<SourceVideo, "facts" | "sourcePath" | "signal">,
  track: AudioFacts,
  channels: 2 | 6 = 2,
): Promise<Loudness | null> {
  const layout = `aformat=channel_layouts=${channels === 2 ? "stereo" : "5.1"}`;
  const source = openSource(facts, sourcePath, { options: soundOptions(facts, pipeline.report) });
  const chain = [planAudioFilter(facts, track), layout, measureFilter].join(",");
  const graph = `${source.sound(track)}${chain}[sound]`;
  try {
    const { stderr } = await pipeline.tools.ffmpeg({
      name: "loudness",
      args: [
        ...["-v", "info", ...source.inputs],
        ...["-filter_complex", graph, "-map", "[sound]"],
        ...["-f", "null", "-"],
      ],
      cwd: pipeline.emptyDir,
      inputs: [sourcePath],
      limits: planLimits(facts, {
        decodedS: facts.durationS,
        encodedRungs: 0,
        threads: pipeline.threads,
      }),
      signal,
    });
    return parseLoudness(stderr);
  } catch (error) {
    if (!isFileFailure(error)) throw error;
    pipeline.logger.info({ err: error }, "couldn't measure the loudness");
    return null;
  }
}
