import { mkdir, open, readFile, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { compareSounds, compareTracks, listDamage, listEncodingChanges } from "../plan/changes.ts";
import { toFps } from "../facts/media-facts.ts";
import { ladderArgs, masterName, rungName } from "../plan/ladder.ts";
import { findCodec, readPlaylist, writeMasterPlaylist } from "../plan/master-playlist.ts";
import { planGainDb } from "../plan/loudness.ts";
import { planLimits } from "../facts/process-limits.ts";
import { renditionCrf } from "../plan/quality.ts";
import type { Renditions } from "../plan/renditions.ts";
import { planLargeRungs, planRungs, type Rung } from "../plan/rungs.ts";
import { planSounds, type SoundLabel, type SoundPlan } from "../plan/sounds.ts";
import { listDecoderErrors } from "../probe/decoder-errors.ts";
import { measureLoudness } from "./loudness.step.ts";
import { MediaProcessError } from "../run/media-process-error.ts";
import {
  describeFile,
  type SourceVideo,
  type PipelineContext,
  type MediaFile,
} from "./pipeline-context.ts";
import { readingOutput } from "./verify-output.ts";

export interface LadderOutput {
  files: MediaFile[];
  durationS: number;
  rungs: { width: number; height: number }[];
  /** Notices for the admin about tracks that are damaged or missing in the renditions. */
  notices: string[];
  /** Gain applied to the audio, in dB. */
  gainDb: number;
  /** Labels of the audio tracks, default first. */
  sounds: SoundLabel[];
  /**
   * Tracks of the source about which the decoder reported errors. Those of a copy have the same
   * defects.
   */
  damaged: { picture: boolean; sound: boolean };
}

/** Subfolder of HLS files in a video's folder. */
export const hlsFolder = "hls";

interface SoundGains {
  /** Gain of the default audio, in dB. */
  gainDb: number;
  /** True to bring the other tracks to the same loudness. */
  normalizesLoudness: boolean;
}

/** Decisions made before encoding a ladder. */
export interface LadderChoice extends SoundGains {
  /** See `chooseQuality`. */
  crf: number;
}

export interface RenditionChoice extends Pick<LadderChoice, "crf"> {
  shortSide: number;
  /** True for AV1 instead of H.264. */
  isAv1?: boolean;
  /** True to preserve the source's high dynamic range, which requires AV1. */
  isHdr?: boolean;
}

/** Renditions and audio tracks of one pass. */
interface RenditionPlan {
  rungs: (Rung & { crf: number })[];
  sounds: (SoundPlan & { gainDb: number })[];
  isAv1?: boolean | undefined;
  /** True to preserve the source's high dynamic range, which requires AV1. */
  isHdr?: boolean | undefined;
  /** True if other passes made renditions of the same ladder. */
  isAdded?: boolean;
}

export interface RenditionOutput {
  files: MediaFile[];
  renditions: Renditions;
}

/**
 * Encodes all renditions in one pass, or in one pass each if there isn't enough memory for that. A
 * second run starts over.
 */
export async function makeLadder(
  pipeline: PipelineContext,
  source: SourceVideo,
  { crf, ...gains }: LadderChoice,
  onOutTime?: (outTimeS: number) => void,
): Promise<LadderOutput> {
  const { facts, fps } = source;
  const usual = planRungs(facts.video.width, facts.video.height, toFps(fps));
  const topSide = usual[0]?.shortSide ?? 0;
  const plan = {
    rungs: usual.map((rung) => ({ ...rung, crf: renditionCrf(rung, crf, topSide) })),
    sounds: await planGains(pipeline, source, planSounds(facts), gains),
  };
  const made = await makeInMemory(pipeline, source, plan, onOutTime);
  const { files, renditions } = dropWasteful(made);
  const ladder = await finishLadder(source, renditions);
  return { ...ladder, files: [...files, ...ladder.files] };
}

async function makeInMemory(
  pipeline: PipelineContext,
  source: SourceVideo,
  plan: RenditionPlan,
  onOutTime?: (outTimeS: number) => void,
): Promise<RenditionOutput> {
  try {
    return await makeRenditions(pipeline, source, plan, onOutTime);
  } catch (error) {
    const exceedsMemory = error instanceof MediaProcessError && error.mediaCause === "memory";
    if (!exceedsMemory || plan.rungs.length === 1) throw error;
    pipeline.logger.warn({ err: error }, "not enough memory: making one rendition at a time");
  }
  const passes: RenditionOutput[] = [];
  for (const [at, rung] of plan.rungs.entries()) {
    // Encoding the smallest rendition leaves the most memory for audio.
    const sounds = at === plan.rungs.length - 1 ? plan.sounds : [];
    passes.push(
      await makeRenditions(
        pipeline,
        source,
        { ...plan, rungs: [rung], sounds, isAdded: at > 0 },
        (outTimeS) => onOutTime?.((at * source.facts.durationS + outTimeS) / plan.rungs.length),
      ),
    );
  }
  return joinPasses(passes);
}

/** Drops renditions that have a higher bit rate than a larger one. That happens with sharp text. */
export function dropWasteful({ files, renditions }: RenditionOutput): RenditionOutput {
  const kept: Renditions["variants"] = [];
  for (const variant of renditions.variants) {
    const larger = kept.at(-1);
    if (larger === undefined || variant.averageBps <= larger.averageBps) kept.push(variant);
  }
  const isKept = new Set(kept.map(({ uri }) => uri.replace(/\.m3u8$/, "")));
  const isDropped = ({ name }: MediaFile) => {
    const track = path.basename(name).replace(/\.(mp4|m3u8)$/, "");
    return renditions.variants.some(({ uri }) => uri === `${track}.m3u8`) && !isKept.has(track);
  };
  return {
    files: files.filter((file) => !isDropped(file)),
    renditions: { ...renditions, variants: kept },
  };
}

function joinPasses(passes: readonly RenditionOutput[]): RenditionOutput {
  const files = passes.flatMap((pass) => pass.files);
  const isPlaylist = ({ role }: MediaFile) => role === "hls_playlist";
  const renditions = passes.map((pass) => pass.renditions);
  return {
    // Playlists come last, so that they only refer to stored files.
    files: [...files.filter((file) => !isPlaylist(file)), ...files.filter(isPlaylist)],
    renditions: {
      variants: renditions.flatMap(({ variants }) => variants),
      sounds: renditions.flatMap(({ sounds }) => sounds),
      notices: [...new Set(renditions.flatMap(({ notices }) => notices))],
      isPictureDamaged: renditions.some(({ isPictureDamaged }) => isPictureDamaged),
      isSoundDamaged: renditions.some(({ isSoundDamaged }) => isSoundDamaged),
    },
  };
}

/** Encodes one rendition in a separate pass, without audio, for an existing ladder. */
export function makeRendition(
  pipeline: PipelineContext,
  source: SourceVideo,
  { shortSide, crf, ...kind }: RenditionChoice,
): Promise<RenditionOutput> {
  const { facts, fps } = source;
  const size = [facts.video.width, facts.video.height, toFps(fps)] as const;
  const usual = planRungs(...size);
  const topSide = usual[0]?.shortSide ?? 0;
  const rungs = [...planLargeRungs(...size), ...usual]
    .filter((rung) => rung.shortSide === shortSide)
    .map((rung) => ({ ...rung, crf: renditionCrf(rung, crf, topSide) }));
  return makeRenditions(pipeline, source, { rungs, sounds: [], ...kind });
}

/**
 * Encodes renditions and audio tracks in one pass.
 * @returns files and facts, without the master playlist.
 */
async function makeRenditions(
  pipeline: PipelineContext,
  source: SourceVideo,
  { rungs, sounds, isAv1 = false, isHdr = false, isAdded = false }: RenditionPlan,
  onOutTime?: (outTimeS: number) => void,
): Promise<RenditionOutput> {
  const { facts, fps } = source;
  const folder = path.join(source.workDir, hlsFolder);
  if (!isAdded) await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  const threads = isLarge(rungs) ? Math.min(maxLargeThreads, pipeline.threads) : pipeline.threads;
  const result = await pipeline.tools.ffmpeg({
    name: "ladder",
    args: ladderArgs(facts, source.sourcePath, {
      rungs,
      sounds,
      fps,
      threads,
      abilities: pipeline.report,
      isAv1,
      isHdr,
    }),
    cwd: folder,
    inputs: [source.sourcePath],
    outputDir: folder,
    isLowPriority: true,
    limits: planLimits(facts, {
      decodedS: facts.durationS,
      encodedRungs: countAsSmall(rungs),
      threads,
      isLarge: isLarge(rungs),
      isAv1,
    }),
    signal: source.signal,
    onOutTime,
  });

  return readingOutput("hls", async () => {
    const damage = listDamage(facts, listDecoderErrors(result.stderr));
    const variants = await readVariants(folder, rungs, fps);
    const durationS = Math.max(...variants.map((variant) => variant.durationS));
    if (!(durationS > 0)) throw new Error("the ladder has no segments");
    const made = rungs.map(({ shortSide, crf }, i) => ({
      shortSide,
      crf,
      kbps: toKbps(variants[i]),
    }));
    pipeline.logger.info({ made }, "renditions made");
    return {
      files: await listFiles(folder, { rungs, sounds, durationS }),
      renditions: {
        variants,
        sounds: await readSounds(folder, sounds),
        ...damage,
      },
    };
  });
}

async function readTrack(folder: string, name: string) {
  const text = await readFile(path.join(folder, `${name}.m3u8`), "utf8");
  return { uri: `${name}.m3u8`, ...readPlaylist(text) };
}

async function readVariants(
  folder: string,
  rungs: readonly Rung[],
  fps: SourceVideo["fps"],
): Promise<Renditions["variants"]> {
  const variants: Renditions["variants"] = [];
  for (const rung of rungs) {
    const { width, height } = rung;
    const codec = await readCodec(path.join(folder, `${rungName(rung)}.mp4`));
    variants.push({ width, height, fps, codec, ...(await readTrack(folder, rungName(rung))) });
  }
  return variants;
}

const readSounds = (
  folder: string,
  sounds: RenditionPlan["sounds"],
): Promise<Renditions["sounds"]> =>
  Promise.all(
    sounds.map(async ({ file, track, label, gainDb }) => ({
      ...label,
      gainDb,
      sourceEndS: track.endS,
      ...(await readTrack(folder, file)),
    })),
  );

const toKbps = (variant: { averageBps: number } | undefined): number =>
  Math.round((variant?.averageBps ?? 0) / 1000);

/** Returns the number of 1080-line renditions with the same number of pixels, at least one each. */
const countAsSmall = (rungs: readonly Rung[]): number =>
  rungs.reduce((sum, { width, height }) => sum + Math.max(1, (width * height) / 2_073_600), 0);

/**
 * Maximum number of threads above 1080 lines. Each thread holds frames, and these are four times as
 * large.
 */
const maxLargeThreads = 4;

const isLarge = (rungs: readonly Rung[]): boolean =>
  rungs.some(({ width, height }) => width * height > 2_200_000);

/** Writes the master playlist of all renditions and compares the renditions with the source. */
async function finishLadder(
  { facts, fps, workDir }: SourceVideo,
  { variants, sounds, notices, ...damage }: Renditions,
): Promise<LadderOutput> {
  const folder = path.join(workDir, hlsFolder);
  await mkdir(folder, { recursive: true });
  const master = path.join(folder, masterName);
  await writeFile(master, writeMasterPlaylist(variants, sounds));
  const durationS = Math.max(...variants.map((variant) => variant.durationS));
  const [sound = null] = sounds;
  const ends = { videoEndS: durationS, audioEndS: sound?.durationS ?? null };
  return {
    files: [await describeFile("hls_master", `${hlsFolder}/${masterName}`, master)],
    durationS: Math.max(durationS, sound?.durationS ?? 0),
    rungs: variants.map(({ width, height }) => ({ width, height })),
    notices: [
      // A copy has the size of the source, so the first playable file may not have said it.
      ...listEncodingChanges(facts, fps),
      ...[...compareTracks(facts, ends), ...compareSounds(sounds.slice(1)), ...notices],
    ],
    sounds: sounds.map(({ name, language, kind, channels }) => ({
      name,
      language,
      kind,
      channels,
    })),
    gainDb: sound?.gainDb ?? 0,
    damaged: { picture: damage.isPictureDamaged, sound: damage.isSoundDamaged },
  };
}

/** Returns the gain of each audio track, based on how it sounds when played. */
async function planGains(
  pipeline: PipelineContext,
  source: SourceVideo,
  sounds: readonly SoundPlan[],
  { gainDb, normalizesLoudness }: SoundGains,
): Promise<(SoundPlan & { gainDb: number })[]> {
  const planned: (SoundPlan & { gainDb: number })[] = [];
  for (const [i, sound] of sounds.entries()) {
    const isMeasured = i > 0 && normalizesLoudness;
    const loudness = isMeasured
      ? await measureLoudness(pipeline, source, sound.track, sound.channels)
      : null;
    planned.push({ ...sound, gainDb: i === 0 ? gainDb : planGainDb(loudness) });
  }
  return planned;
}

/**
 * Lists media files before the playlists that refer to them, so that no playlist refers to a
 * missing file.
 */
async function listFiles(
  folder: string,
  made: { rungs: Rung[]; sounds: readonly SoundPlan[]; durationS: number },
): Promise<MediaFile[]> {
  const { rungs, sounds, durationS } = made;
  const describe = (role: MediaFile["role"], name: string, size: Rung | null) =>
    describeFile(
      role,
      `${hlsFolder}/${name}`,
      path.join(folder, name),
      size === null ? null : { width: size.width, height: size.height, durationS },
    );
  const tracks: [string, Rung | null][] = [
    ...rungs.map((rung): [string, Rung | null] => [rungName(rung), rung]),
    ...sounds.map(({ file }): [string, null] => [file, null]),
  ];
  return [
    ...(await Promise.all(
      tracks.map(([name, rung]) => describe("hls_media", `${name}.mp4`, rung)),
    )),
    ...(await Promise.all(
      tracks.map(([name, rung]) => describe("hls_playlist", `${name}.m3u8`, rung)),
    )),
  ];
}

async function readCodec(file: string): Promise<string> {
  const handle = await open(file, "r");
  try {
    const head = Buffer.alloc(4096);
    const { bytesRead } = await handle.read(head, 0, head.length, 0);
    const codec = findCodec(head.subarray(0, bytesRead));
    if (codec === null) throw new Error("a rendition has no decoder configuration");
    return codec;
  } finally {
    await handle.close();
  }
}
