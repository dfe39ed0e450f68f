import { mkdir } from "node:fs/promises";
import path from "node:path";
import { progressShares } from "#contract/videos/progress-shares.ts";
import type { Loudness } from "#contract/videos/videos.ts";
import { AppError } from "#server/lib/app-error.ts";
import { estimateWork, type WorkEstimate } from "../plan/estimate.ts";
import { planGainDb } from "../plan/loudness.ts";
import { rungName } from "../plan/ladder.ts";
import { findKnownObstacle, planPlayable } from "../plan/playable.ts";
import { planReads } from "../facts/timeline.ts";
import { refuse } from "../probe/refusals.ts";
import { cutFacts } from "../facts/cut-facts.ts";
import { planFrameRate } from "../facts/media-facts.ts";
import { scanPackets } from "../probe/scan.ts";
import { readTextTracks, type CaptionsOutput } from "./captions.step.ts";
import {
  ladderSoundPath,
  makeSmallProgressive,
  makeStoryboard,
  type ExtrasOutput,
  type Rendition,
} from "./extras.step.ts";
import {
  hlsFolder,
  makeLadder,
  makeRendition,
  type LadderOutput,
  type RenditionChoice,
  type RenditionOutput,
} from "./ladder.step.ts";
import { measureLoudness } from "./loudness.step.ts";
import { makeOptional } from "./optional-output.ts";
import { makePictures, type PicturesOutput } from "./pictures.step.ts";
import { chooseQuality } from "./quality.step.ts";
import { expectFreeSpace, verifyOutput } from "./verify-output.ts";
import { steadySound } from "./steady-sound.ts";
import { copyWithAudio, makeCopy, makePlayable, type PlayableOutput } from "./playable.step.ts";
import type { SourceJob, SourceVideo, PipelineContext, MediaFile } from "./pipeline-context.ts";

export type StepName = keyof typeof progressShares;

/** Each hook is awaited before the next step starts. If one throws, processing stops. */
interface ProcessHooks {
  /** Called once the audio was measured. */
  onLoudness(loudness: Loudness): Promise<void>;
  /** Called once the ladder's CRF was chosen. */
  onQuality(crf: number): Promise<void>;
  onPlayable(output: PlayableOutput): Promise<void>;
  onCaptions(output: CaptionsOutput): Promise<void>;
  onPictures(output: PicturesOutput): Promise<void>;
  onLadder(output: LadderOutput): Promise<void>;
  onExtras(output: ExtrasOutput): Promise<void>;
  /** Called with the overall progress, rising from 0 to 1, at most a few times per second. */
  onProgress?(progress: number, step: StepName): void;
}

export interface RenditionJob extends SourceJob, RenditionChoice {}

export interface ProcessJob extends SourceJob {
  /** Steps to skip, because their outputs are already stored. */
  done?: ReadonlySet<StepName>;
  /** Earlier measurement; null measures before the audio is encoded. */
  loudness: Loudness | null;
  /** True to bring encoded audio to the loudness of all videos. */
  normalizesLoudness: boolean;
  /** CRF chosen for the ladder earlier; null chooses it. */
  ladderCrf: number | null;
  /** True to stop if the video must be encoded to become playable, because only copying is fast. */
  onlyCopies?: boolean;
  hooks: ProcessHooks;
}

export interface ProcessResult {
  durationS: number;
  /** With `onlyCopies`: true if no copy was possible and nothing was made. */
  needsEncode: boolean;
  estimate: WorkEstimate;
  /** Steps that failed after the video became playable, with the cause for the log. */
  problems: { step: StepName; message: string; cause: unknown }[];
}

/**
 * Maximum duration of a short video. Jumps, which only a scan finds, hardly affect its estimate.
 */
const shortS = 300;

/** Returns the overall progress from a step's progress. */
function progressOf(step: StepName, share: number): number {
  const [from, to] = progressShares[step];
  return from + (to - from) * Math.min(1, Math.max(0, share));
}

const emptyResult = (...source: Parameters<typeof estimateWork>): ProcessResult => ({
  durationS: source[0].durationS,
  needsEncode: false,
  estimate: estimateWork(...source),
  problems: [],
});

/**
 * Makes all served files from an accepted source, in these steps: playable, captions, pictures,
 * ladder, extras. A failure of a later step is reported in `problems` and preserves all earlier
 * outputs. Another run repeats unfinished steps from the start and produces the same files.
 * @throws AppError unusable_video if the video can't be made playable; storage_full if the disk is
 * full; on abort; and the errors of hooks.
 */
export async function processVideo(
  pipeline: PipelineContext,
  job: ProcessJob,
): Promise<ProcessResult> {
  const { hooks, signal } = job;
  const done = job.done ?? new Set<StepName>();
  await mkdir(job.workDir, { recursive: true });
  const onlyCopies = job.onlyCopies === true && !done.has("playable");
  const isCut = (job.keptParts ?? null) !== null;
  if (
    onlyCopies &&
    (isCut || findKnownObstacle(job.facts) !== null) &&
    job.facts.durationS < shortS
  ) {
    return { ...emptyResult(job.facts), needsEncode: true };
  }
  const source = await scanSource(pipeline, await steadySound(pipeline, job));
  const { facts } = source;
  const result = emptyResult(facts, source.fps);

  const report = (step: StepName, share: number): void =>
    hooks.onProgress?.(progressOf(step, share), step);
  const attempt = async (step: StepName, work: () => Promise<void>): Promise<void> => {
    if (done.has(step)) return;
    signal?.throwIfAborted();
    report(step, 0);
    try {
      await expectFreeSpace(job.workDir);
      await work();
    } catch (error) {
      signal?.throwIfAborted();
      if (step === "playable" || error instanceof AppError || error instanceof HookError) {
        throw error instanceof HookError ? error.cause : error;
      }
      const message = error instanceof Error ? error.message : String(error);
      pipeline.logger.warn({ err: error, step }, "a processing step failed");
      result.problems.push({ step, message, cause: error });
    }
    report(step, 1);
  };

  let { loudness } = job;
  const findGainDb = async (): Promise<number> => {
    if (loudness === null && facts.audio !== null) {
      const measured = await measureLoudness(pipeline, source, facts.audio);
      loudness = measured;
      if (measured !== null) await runHook(() => hooks.onLoudness(measured));
    }
    return job.normalizesLoudness ? planGainDb(loudness) : 0;
  };

  let crf = job.ladderCrf;
  const findCrf = async (): Promise<number> => {
    if (crf !== null) return crf;
    const chosen = await chooseQuality(pipeline, source);
    crf = chosen;
    await runHook(() => hooks.onQuality(chosen));
    return chosen;
  };

  let playable: PlayableOutput | null = null;
  let ladder: LadderOutput | null = null;

  await attempt("playable", async () => {
    const output =
      job.onlyCopies === true
        ? await makeCopy(pipeline, source, findGainDb)
        : await makePlayable(pipeline, source, findGainDb, (outTimeS) =>
            report("playable", outTimeS / facts.durationS),
          );
    if (output === null) {
      result.needsEncode = true;
      return;
    }
    await verifyOutput(pipeline, source, output.files, { isCopy: output.kind === "copy" });
    playable = output;
    result.durationS = output.durationS;
    await runHook(() => hooks.onPlayable(output));
  });
  if (result.needsEncode) return result;
  await attempt("captions", async () => {
    const output = await readTextTracks(pipeline, source);
    await runHook(() => hooks.onCaptions(output));
  });
  await attempt("pictures", async () => {
    const output = await makePictures(pipeline, source, findQuick(playable));
    await runHook(() => hooks.onPictures(output));
  });
  await attempt("ladder", async () => {
    const choice = {
      gainDb: await findGainDb(),
      crf: await findCrf(),
      normalizesLoudness: job.normalizesLoudness,
    };
    const output = await makeLadder(pipeline, source, choice, (outTimeS) =>
      report("ladder", outTimeS / facts.durationS),
    );
    await verifyOutput(pipeline, source, output.files);
    ladder = output;
    await runHook(() => hooks.onLadder(output));
  });
  await attempt("extras", async () => {
    const plan = planPlayable(facts, source.scan);
    const isCopied = (playable ?? plan).kind === "copy";
    const copiesAudio = plan.kind === "copy" && plan.audio === "copy";
    const output = await makeExtras(pipeline, source, {
      renditions: listRenditions(source, ladder),
      quick: findQuick(playable),
      copy: isCopied ? { copiesAudio, damaged: ladder?.damaged ?? null } : null,
      ladderGainDb: ladder?.gainDb ?? 0,
    });
    await runHook(() => hooks.onExtras(output));
  });
  return result;
}

/** Scans a source's packets for its frame rate and end. Its sound must be steady if it is used. */
export async function scanSource(pipeline: PipelineContext, job: SourceJob): Promise<SourceVideo> {
  const { sourcePath, workDir, signal } = job;
  const deps = { tools: pipeline.tools, cwd: pipeline.emptyDir };
  const { scan, facts: scanned } = await scanPackets(deps, job.facts, sourcePath, signal);
  const fps = planFrameRate(scanned.video.fps, scan);
  // The probe read the last packet in the file, but the scan may find one that ends later.
  const { endS: foundS, timeline } = scanned.video;
  const endS = timeline === null ? Math.max(foundS, scan.endS) : foundS;
  const whole = { ...scanned, video: { ...scanned.video, endS } };
  const facts = cutFacts(whole, job.keptParts ?? null);
  const cut = facts.video.timeline;
  if (cut !== null && planReads(cut) === null) throw refuse.tooManyEdits();
  return { sourcePath, facts, scan, fps, workDir, signal };
}

/** Minimum difference in loudness that is worth another copy. */
const audibleDb = 1;

async function makeExtras(
  pipeline: PipelineContext,
  source: SourceVideo,
  from: {
    renditions: Rendition[];
    quick: Rendition | null;
    /** First playable file, if it is a copy of the source. */
    copy: { copiesAudio: boolean; damaged: LadderOutput["damaged"] | null } | null;
    ladderGainDb: number;
  },
): Promise<ExtrasOutput> {
  const small = from.renditions.find((each) => Math.min(each.width, each.height) <= 480);
  const lowest = from.renditions.at(-1) ?? from.quick;
  if (lowest === null) throw new Error("no rendition to make a storyboard from");
  const files: MediaFile[] = [];
  const { copy, ladderGainDb: gainDb } = from;
  let replaced: ExtrasOutput["replaced"] = null;
  let isFaulty = copy?.damaged?.picture === true;
  const isSoundDamaged = copy?.damaged?.sound === true;
  if (!isFaulty && copy?.copiesAudio === true && (isSoundDamaged || gainDb >= audibleDb)) {
    const sound = { path: ladderSoundPath(source), gainDb };
    const copied = await copyWithAudio(pipeline, source, sound);
    if (copied !== null) {
      files.push(...copied.files);
      replaced = { isSmall: false, gainDb: copied.gainDb };
    } else isFaulty = isSoundDamaged;
  }
  if (small !== undefined) {
    const file = await makeSmallProgressive(pipeline, source, small);
    files.push(file);
    if (isFaulty) {
      files.push({ ...file, role: "progressive", name: file.name.replace("small", "repaired") });
      replaced = { isSmall: true, gainDb };
    }
  }
  await verifyOutput(pipeline, source, files, { isCopy: replaced?.isSmall === false });
  const storyboard = await makeOptional(pipeline, source, "storyboard", () =>
    makeStoryboard(pipeline, source, lowest),
  );
  return { ...storyboard, files: [...files, ...storyboard.files], replaced };
}

/** Lists the renditions of this run's ladder, highest first. */
function listRenditions({ workDir }: SourceVideo, ladder: LadderOutput | null): Rendition[] {
  if (ladder === null) return [];
  return ladder.rungs.map(({ width, height }) => ({
    path: path.join(workDir, hlsFolder, `${rungName({ shortSide: Math.min(width, height) })}.mp4`),
    width,
    height,
    durationS: ladder.durationS,
  }));
}

function findQuick(playable: PlayableOutput | null): Rendition | null {
  const file = playable?.kind === "quick" ? playable.files[0] : undefined;
  if (file === undefined || file.width === null || file.height === null) return null;
  return {
    path: file.path,
    width: file.width,
    height: file.height,
    durationS: file.durationS ?? 0,
  };
}

/** Wraps errors from hooks (storage, database), to distinguish them from errors in a step. */
class HookError extends Error {}

async function runHook(hook: () => Promise<void>): Promise<void> {
  try {
    await hook();
  } catch (error) {
    throw new HookError("a hook failed", { cause: error });
  }
}

/** Makes one more rendition for a stored ladder. */
export async function encodeRendition(
  pipeline: PipelineContext,
  { sourcePath, facts, keptParts, workDir, signal, ...choice }: RenditionJob,
): Promise<RenditionOutput> {
  await mkdir(workDir, { recursive: true });
  const source = await scanSource(pipeline, { sourcePath, facts, keptParts, workDir, signal });
  await expectFreeSpace(workDir);
  const output = await makeRendition(pipeline, source, choice);
  await verifyOutput(pipeline, source, output.files);
  return output;
}
