import { existsSync } from "node:fs";
import { mkdir, readFile, stat } from "node:fs/promises";
import path from "node:path";
import type { CaptionLine } from "#contract/videos/captions.ts";
import { AppError } from "#server/lib/app-error.ts";
import { readCaptions } from "#server/lib/captions/read-captions.ts";
import { planAudioFilter, soundOptions } from "../plan/encode-options.ts";
import { openSource } from "../plan/open-source.ts";
import { smallJobLimits, type RunLimits } from "../facts/process-limits.ts";
import { splitCommand } from "../plan/split-command.ts";
import { InterruptedError, isInterrupted, MediaProcessError } from "../run/media-process-error.ts";
import type { ProcessRunner } from "../run/run-process.ts";
import type { PipelineContext, SourceVideo } from "./pipeline-context.ts";

const mebibyte = 2 ** 20;
/** Sample rate of whisper.cpp, which expects mono audio. */
const sampleRate = 16_000;

/**
 * Returns limits for speech models. These need gigabytes of memory and, on a slow processor, many
 * times the duration of the audio.
 */
const limitsFor = (durationS: number): RunLimits => ({
  addressSpaceBytes: 48_000 * mebibyte,
  rssBytes: 8_000 * mebibyte,
  cpuS: 600 + durationS * 60,
  wallS: 1200 + durationS * 120,
  outputBytes: 64 * mebibyte,
});

/**
 * Generates captions from a source's audio with the operator's command. The command runs in the
 * media tools' sandbox and sees only the audio and the files in its arguments.
 * @param command `{audio}`, `{output}` (a path without extension) and `{language}` are replaced.
 * Without `{output}`, the command must write the captions to standard output.
 * @returns an empty list if the audio contains no speech.
 * @throws MediaProcessError; InterruptedError; AppError unsupported_media or invalid for other output.
 */
export async function transcribe(
  pipeline: PipelineContext,
  runner: ProcessRunner,
  source: SourceVideo,
  options: { command: string; language: string },
): Promise<CaptionLine[]> {
  const folder = path.join(source.workDir, "speech");
  await mkdir(folder, { recursive: true });
  const audio = path.join(folder, "audio.wav");
  await extractSound(pipeline, source, audio);
  const output = path.join(folder, "captions");
  const values: Record<string, string> = { audio, output, language: options.language };
  const [program = "", ...args] = splitCommand(options.command).map((word) =>
    word.replaceAll(/\{(audio|output|language)\}/g, (_, name: string) => values[name] ?? ""),
  );
  const result = await runner.run({
    program,
    args,
    cwd: pipeline.emptyDir,
    inputs: args.filter((word) => path.isAbsolute(word) && existsSync(word)),
    outputDir: folder,
    limits: limitsFor(source.facts.durationS),
    signal: source.signal,
    maxStdoutBytes: 16 * mebibyte,
  });
  if (isInterrupted(result)) throw new InterruptedError("captions", result);
  if (result.exitCode !== 0) throw new MediaProcessError("captions", result);
  const file = await findOutput(output);
  const written = file === null ? result.stdout : await readFile(file);
  const text = written.toString().trim();
  // Without speech, tools write only the header of WebVTT, or an empty file.
  const isSilent = text.startsWith("WEBVTT") ? !text.includes("-->") : file !== null && text === "";
  return isSilent ? [] : readCaptions(written).lines;
}

async function extractSound(
  pipeline: PipelineContext,
  { facts, sourcePath, signal }: SourceVideo,
  target: string,
): Promise<void> {
  if (facts.audio === null) throw new AppError("invalid", "This video has no sound.");
  const source = openSource(facts, sourcePath, { options: soundOptions(facts, pipeline.report) });
  const graph = `${source.sound(facts.audio)}${planAudioFilter(facts, facts.audio)}[sound]`;
  await pipeline.tools.ffmpeg({
    name: "speech",
    args: [
      ...source.inputs,
      ...["-filter_complex", graph, "-map", "[sound]"],
      ...["-map_metadata", "-1", "-map_chapters", "-1", "-ac", "1", "-ar", String(sampleRate)],
      ...["-c:a", "pcm_s16le", "-f", "wav", `file:${target}`],
    ],
    cwd: pipeline.emptyDir,
    inputs: [sourcePath],
    outputDir: path.dirname(target),
    limits: {
      ...smallJobLimits,
      cpuS: smallJobLimits.cpuS + facts.durationS,
      outputBytes: Math.ceil((facts.durationS + 60) * sampleRate * 2) + 64 * mebibyte,
    },
    signal,
  });
}

async function findOutput(output: string): Promise<string | null> {
  for (const extension of [".vtt", ".srt", ".ass", ""]) {
    const found = await stat(output + extension).catch(() => null);
    if (found?.isFile() === true && found.size < 16 * mebibyte) return output + extension;
  }
  return null;
}
