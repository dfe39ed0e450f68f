import { mkdir } from "node:fs/promises";
import path from "node:path";
import { AppError } from "../../lib/app-error.ts";
import { planFrameRate, toFps } from "../plan/frame-rate.ts";
import { audioName, rungName } from "../plan/ladder.ts";
import { planPlayable } from "../plan/playable.ts";
import { planRungs } from "../plan/rungs.ts";
import type { MediaFacts } from "../probe/media-facts.ts";
import { scanPackets } from "../probe/scan.ts";
import {
  makeSmallProgressive,
  makeStoryboard,
  type ExtrasOutput,
  type Rendition,
} from "./extras.step.ts";
import { hlsFolder, makeLadder, type LadderOutput } from "./ladder.step.ts";
import type { MediaFile } from "./media-file.ts";
import { makePictures, type PicturesOutput } from "./pictures.step.ts";
import { makePlayable, type PlayableOutput } from "./playable.step.ts";
import type { Workpiece, Workshop } from "./work-directory.ts";

export type StageName = "playable" | "pictures" | "ladder" | "extras";

export interface ProcessHooks {
  /** Each is awaited before the next stage starts; when it throws, processing stops. */
  onPlayable(output: PlayableOutput): Promise<void>;
  onPictures(output: PicturesOutput): Promise<void>;
  onLadder(output: LadderOutput): Promise<void>;
  onExtras(output: ExtrasOutput): Promise<void>;
  /** Overall, 0 to 1, rising, a few times per second at most. */
  onProgress?(progress: number, stage: StageName): void;
}

export interface ProcessJob {
  sourcePath: string;
  facts: MediaFacts;
  /** A folder for this run alone, on a disk with room for the outputs. */
  workDir: string;
  /** Stages whose outputs are stored already; they are not made again. */
  done?: ReadonlySet<StageName>;
  /**
   * Copies a stored output (by its name) to a local path. Needed to make the extras in a run whose
   * ladder was stored by an earlier one.
   */
  fetchStored?: (name: string, localPath: string) => Promise<void>;
  signal?: AbortSignal;
  hooks: ProcessHooks;
}

export interface ProcessResult {
  durationS: number;
  /** Stages that failed after the video had become playable, with the cause for the log. */
  problems: { stage: StageName; message: string; cause: unknown }[];
}

/** Shares of the whole, by the time they take. */
const spans: Record<StageName, [number, number]> = {
  playable: [0, 0.15],
  pictures: [0.15, 0.2],
  ladder: [0.2, 0.95],
  extras: [0.95, 1],
};

/**
 * From an accepted source to everything that is served, in stages: playable, pictures, ladder,
 * extras. Throws when the video cannot be made playable (AppError `unusable_video`), when the disk
 * is full (`storage_full`), on abort, and what hooks throw; any other failure of a later stage is
 * reported in `problems` and loses nothing that was made before. Running again starts unfinished
 * stages afresh and gives the same files.
 */
export async function processVideo(workshop: Workshop, job: ProcessJob): Promise<ProcessResult> {
  const { facts, hooks, signal } = job;
  const done = job.done ?? new Set<StageName>();
  await mkdir(job.workDir, { recursive: true });
  const piece = await startPiece(workshop, job);
  const result: ProcessResult = { durationS: facts.durationS, problems: [] };

  const report = (stage: StageName, share: number): void => {
    const [from, to] = spans[stage];
    hooks.onProgress?.(from + (to - from) * Math.min(1, Math.max(0, share)), stage);
  };
  const attempt = async (stage: StageName, work: () => Promise<void>): Promise<void> => {
    if (done.has(stage)) return;
    signal?.throwIfAborted();
    report(stage, 0);
    try {
      await work();
    } catch (error) {
      signal?.throwIfAborted();
      if (stage === "playable" || error instanceof AppError || error instanceof HookError) {
        throw error instanceof HookError ? error.cause : error;
      }
      const message = error instanceof Error ? error.message : String(error);
      workshop.logger.warn({ err: error, stage }, "a stage of processing failed");
      result.problems.push({ stage, message, cause: error });
    }
    report(stage, 1);
  };

  let playable: PlayableOutput | null = null;
  let ladder: LadderOutput | null = null;

  await attempt("playable", async () => {
    const output = await makePlayable(workshop, piece, (outTimeS) =>
      report("playable", outTimeS / facts.durationS),
    );
    playable = output;
    result.durationS = output.durationS;
    await runHook(() => hooks.onPlayable(output));
  });
  await attempt("pictures", async () => {
    const output = await makePictures(workshop, piece, findQuick(playable));
    await runHook(() => hooks.onPictures(output));
  });
  await attempt("ladder", async () => {
    const output = await makeLadder(workshop, piece, (outTimeS) =>
      report("ladder", outTimeS / facts.durationS),
    );
    ladder = output;
    await runHook(() => hooks.onLadder(output));
  });
  await attempt("extras", async () => {
    const output = await makeExtras(workshop, piece, {
      renditions: await findRenditions(
        piece,
        ladder,
        done.has("ladder") ? job.fetchStored : undefined,
      ),
      quick: findQuick(playable),
      isCopyFaulty:
        (playable ?? planPlayable(facts, piece.scan)).kind === "copy" &&
        (ladder?.complaintCount ?? 0) > 0,
    });
    await runHook(() => hooks.onExtras(output));
  });
  return result;
}

/** Looks through the packets of a source, which everything that follows depends on. */
export async function startPiece(
  workshop: Workshop,
  job: Pick<ProcessJob, "sourcePath" | "facts" | "workDir" | "signal">,
): Promise<Workpiece> {
  const { sourcePath, workDir, signal } = job;
  const deps = { tools: workshop.tools, cwd: workshop.emptyDir };
  const scan = await scanPackets(deps, job.facts, sourcePath, signal);
  const fps = planFrameRate(job.facts.video.fps, scan);
  // A last packet that says how long it lasts is believed; one that was only found now is, too.
  const endS = Math.max(job.facts.video.endS, scan.endS);
  const facts = { ...job.facts, video: { ...job.facts.video, endS } };
  return { sourcePath, facts, scan, fps, workDir, signal };
}

async function makeExtras(
  workshop: Workshop,
  piece: Workpiece,
  from: { renditions: Rendition[]; quick: Rendition | null; isCopyFaulty: boolean },
): Promise<ExtrasOutput> {
  const small = from.renditions.find((each) => Math.min(each.width, each.height) <= 480);
  const lowest = from.renditions.at(-1) ?? from.quick;
  if (lowest === null) throw new Error("no rendition to make a storyboard from");
  const files: MediaFile[] = [];
  if (small !== undefined) {
    const file = await makeSmallProgressive(workshop, piece, small);
    files.push(file);
    if (from.isCopyFaulty) {
      files.push({ ...file, role: "progressive", name: file.name.replace("small", "repaired") });
    }
  }
  return { files: [...files, ...(await makeStoryboard(workshop, piece, lowest))] };
}

/** The rungs of this run's ladder, or those of an earlier one that are needed, brought back. */
async function findRenditions(
  piece: Workpiece,
  ladder: LadderOutput | null,
  fetchStored: ProcessJob["fetchStored"],
): Promise<Rendition[]> {
  const folder = path.join(piece.workDir, hlsFolder);
  const toRendition = (rung: { shortSide: number; width: number; height: number }): Rendition => ({
    path: path.join(folder, `${rungName(rung)}.mp4`),
    width: rung.width,
    height: rung.height,
    durationS: ladder?.durationS ?? piece.facts.durationS,
  });
  if (ladder !== null) return ladder.rungs.map(toRendition);
  if (fetchStored === undefined) return [];

  const rungs = planRungs(piece.facts.video.width, piece.facts.video.height, toFps(piece.fps));
  const small = rungs.filter((rung) => rung.shortSide <= 480);
  const needed = small.length > 0 ? small : rungs.slice(-1);
  await mkdir(folder, { recursive: true });
  const names = [
    ...needed.map((rung) => rungName(rung)),
    ...(piece.facts.audio === null ? [] : [audioName]),
  ];
  for (const name of names) {
    await fetchStored(`${hlsFolder}/${name}.mp4`, path.join(folder, `${name}.mp4`));
  }
  return needed.map(toRendition);
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

/** Tells failures of the caller's own work (storing, the database) from those of a stage. */
class HookError extends Error {}

async function runHook(hook: () => Promise<void>): Promise<void> {
  try {
    await hook();
  } catch (error) {
    throw new HookError("a hook failed", { cause: error });
  }
}
