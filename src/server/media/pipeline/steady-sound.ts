import path from "node:path";
import { guardInput } from "../facts/input-guards.ts";
import { planLimits } from "../facts/process-limits.ts";
import { separateGraphs } from "../plan/encode-options.ts";
import { isFileFailure } from "../run/media-process-error.ts";
import type { PipelineContext, SourceJob } from "./pipeline-context.ts";
import { expectFreeSpace } from "./verify-output.ts";

/**
 * Codecs of broadcasts, whose channels change from programme to programme. AAC can change, too. It
 * isn't checked, because long screen recordings use it.
 */
const changingCodecs = new Set(["ac3", "eac3", "mp2", "mp3"]);

/**
 * Returns a job whose source keeps the channels and sample rate of its sound to the end. When they
 * change, ffmpeg sets filters up again, and filters that fill the time before the sound fill all
 * time so far. So the sound is decoded to PCM, in a copy of the file with the same tracks and times.
 * Jobs for sources without such changes are returned as they are.
 */
export async function steadySound(pipeline: PipelineContext, job: SourceJob): Promise<SourceJob> {
  const { facts, sourcePath, workDir, signal } = job;
  if (facts.container !== "matroska") return job;
  const sounds = facts.audio === null ? [] : [facts.audio, ...facts.otherAudio];
  const tracks = sounds.filter(({ codec }) => changingCodecs.has(codec));
  if (tracks.length === 0) return job;
  const { threads } = pipeline;
  const limits = planLimits(facts, { decodedS: facts.durationS, encodedRungs: 0, threads });
  const run = (name: string, args: string[], output: { dir: string; bytes: number } | null) =>
    pipeline.tools.ffmpeg({
      name,
      args: ["-v", "info", ...guardInput(facts.container, sourcePath), ...args],
      cwd: pipeline.emptyDir,
      inputs: [sourcePath],
      outputDir: output?.dir,
      limits: { ...limits, outputBytes: output?.bytes ?? limits.outputBytes },
      signal,
    });
  try {
    const { stderr } = await run(
      "sound changes",
      [
        // The filter reports what it got whenever it ends: once for every setup.
        ...separateGraphs(tracks.map(({ index }, i) => `[0:${index}]volumedetect[a${i}]`)),
        ...tracks.flatMap((_, i) => ["-map", `[a${i}]`]),
        ...["-f", "null", "-"],
      ],
      null,
    );
    const setups = stderr.match(/^\[Parsed_volumedetect.* n_samples: [1-9]/gm) ?? [];
    if (setups.length <= tracks.length) return job;
    await expectFreeSpace(workDir);
    const target = path.join(workDir, "steady.mkv");
    const pcmBytes = tracks.reduce((sum, track) => sum + track.sampleRate * track.channels * 2, 0);
    await run(
      "steady sound",
      [
        ...["-map", "0", "-c", "copy", "-copyts", "-copy_unknown"],
        ...tracks.flatMap(({ index, channels, sampleRate }) => [
          ...[`-c:${index}`, "pcm_s16le", `-ac:${index}`, String(channels)],
          ...[`-ar:${index}`, String(sampleRate)],
        ]),
        ...["-f", "matroska", `file:${target}`],
      ],
      { dir: workDir, bytes: Math.ceil(facts.sizeBytes + (facts.durationS + 60) * pcmBytes * 1.1) },
    );
    return { ...job, sourcePath: target };
  } catch (error) {
    if (!isFileFailure(error)) throw error;
    pipeline.logger.info({ err: error }, "couldn't check the sound for changes");
    return job;
  }
}
