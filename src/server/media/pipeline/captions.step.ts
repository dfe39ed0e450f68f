import { mkdir, readFile, stat } from "node:fs/promises";
import path from "node:path";
import type { CaptionLine } from "#contract/videos/captions.ts";
import { isCameraData, readCaptions, shiftLines } from "#server/lib/captions/read-captions.ts";
import { guardTexts } from "../facts/input-guards.ts";
import { withoutJumps } from "../facts/jumps.ts";
import { playTimes } from "../facts/timeline.ts";
import { smallJobLimits } from "../facts/process-limits.ts";
import type { MediaFacts, TextTrackFacts } from "../facts/media-facts.ts";
import { isFileFailure } from "../run/media-process-error.ts";
import type { PipelineContext, SourceVideo } from "./pipeline-context.ts";

export interface CaptionsOutput {
  tracks: (TextTrackFacts & { lines: CaptionLine[] })[];
  /** Notices for the admin about unreadable tracks. */
  notices: string[];
}

const cameraDataNotice =
  "A subtitle track contains camera data, such as GPS positions, and isn't shown.";
const maxTextBytes = 16 * 1024 * 1024;

/** Returns the lines of a source's text tracks, with playback times. */
export async function readTextTracks(
  pipeline: PipelineContext,
  source: SourceVideo,
): Promise<CaptionsOutput> {
  const { texts } = source.facts;
  const output: CaptionsOutput = { tracks: [], notices: [] };
  if (texts.length === 0) return output;
  const folder = path.join(source.workDir, "texts");
  await mkdir(folder, { recursive: true });
  if (!(await extract(pipeline, source, folder, texts))) {
    // A broken track must not affect the others.
    for (const each of texts) await extract(pipeline, source, folder, [each]);
  }
  for (const track of texts) {
    const lines = await readLines(source, track, path.join(folder, nameOf(track)));
    if (lines.length === 0) output.notices.push(`${describe(track)} is empty or cannot be read.`);
    else if (isCameraData(lines)) output.notices.push(cameraDataNotice);
    else output.tracks.push({ ...track, lines });
  }
  return output;
}

const nameOf = (track: TextTrackFacts): string => `${track.index}.txt`;
const describe = ({ language, index }: TextTrackFacts): string =>
  `The subtitle track ${language ?? index}`;

/** Formats that Matroska stores as they are in files, so that they are copied byte by byte. */
const copiedFormats = new Map([
  ["subrip", "srt"],
  ["ass", "ass"],
  ["webvtt", "webvtt"],
]);

function formatOf({ container }: MediaFacts, { codec }: TextTrackFacts): string[] {
  const copied = container === "matroska" ? copiedFormats.get(codec) : undefined;
  return copied === undefined ? ["-c:s", "srt", "-f", "srt"] : ["-c:s", "copy", "-f", copied];
}

/** Extracts all these tracks in one pass over the file. @returns whether it succeeded. */
async function extract(
  pipeline: PipelineContext,
  { facts, sourcePath, signal }: SourceVideo,
  folder: string,
  tracks: TextTrackFacts[],
): Promise<boolean> {
  try {
    await pipeline.tools.ffmpeg({
      name: "texts",
      args: [
        // Container times. The edit list is applied here, because demuxers would shift long lines
        // when applying it.
        "-copyts",
        ...guardTexts(facts.container, sourcePath),
        ...tracks.flatMap((track) => [
          ...["-map", `0:${track.index}`, "-map_metadata", "-1", "-map_chapters", "-1"],
          ...[...formatOf(facts, track), `file:${path.join(folder, nameOf(track))}`],
        ]),
      ],
      cwd: pipeline.emptyDir,
      inputs: [sourcePath],
      outputDir: folder,
      limits: smallJobLimits,
      signal,
    });
    return true;
  } catch (error) {
    if (!isFileFailure(error)) throw error;
    pipeline.logger.info({ err: error }, "couldn't read text tracks");
    return false;
  }
}

async function readLines(
  { facts }: SourceVideo,
  track: TextTrackFacts,
  file: string,
): Promise<CaptionLine[]> {
  try {
    if ((await stat(file)).size > maxTextBytes) return [];
    const captions = readCaptions(await readFile(file), track.language);
    const lines = captions.lines.flatMap((line) => placeLine(line, track.timeline, facts.startS));
    const shifted = shiftLines(lines, (timeMs) => withoutJumps(timeMs / 1000, facts.jumps) * 1000);
    const endMs = facts.durationS * 1000;
    return shifted.filter(({ startMs }) => startMs < endMs);
  } catch {
    return [];
  }
}

/** Returns when a line is shown. An edit list can show it more than once or not at all. */
function placeLine(
  line: CaptionLine,
  timeline: TextTrackFacts["timeline"],
  startS: number,
): CaptionLine[] {
  const span = { startS: line.startMs / 1000, endS: line.endMs / 1000 };
  const times =
    timeline === null
      ? [{ startS: span.startS - startS, endS: span.endS - startS }]
      : playTimes(timeline, span);
  const placed: CaptionLine[] = [];
  for (const time of times) {
    const [startMs, endMs] = [Math.round(time.startS * 1000), Math.round(time.endS * 1000)];
    const before = placed.at(-1);
    // The line continues across a cut.
    if (before?.endMs === startMs) before.endMs = endMs;
    else placed.push({ ...line, startMs, endMs });
  }
  return placed;
}
