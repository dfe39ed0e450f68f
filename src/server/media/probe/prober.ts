import { guardProbe, withoutEdits, type Container } from "../facts/input-guards.ts";
import { probeLimits } from "../facts/process-limits.ts";
import type { MediaTools } from "../run/media-tools.ts";
import type { RunResult } from "../run/run-process.ts";
import { chooseVideo, declaredLengthS, listSounds } from "./choose-streams.ts";
import {
  parseProbe,
  probedFrame,
  probedFrames,
  probedInfo,
  type ProbedFrame,
  type ProbedInfo,
  type ProbedStream,
} from "./ffprobe-output.ts";
import { listDecoderErrors } from "./decoder-errors.ts";
import { explainUnopened, refuse } from "./refusals.ts";

const maxRestBytes = 4 * 1024 * 1024;

/**
 * Removes packets from ffprobe's compact JSON as it arrives and stores only the end of each
 * stream's last packet. For a file without keyframes, ffprobe lists all packets.
 */
export function createPacketEnds() {
  const endsS = new Map<number, number>();
  let kept = "";
  let pending = "";
  let isInPackets = false;

  function addLine(line: string): void {
    if (/^ {4}"packets": \[/.test(line)) isInPackets = true;
    else if (isInPackets && /^ {4}\],?$/.test(line)) isInPackets = false;
    else if (isInPackets) addPacket(line);
    else if (kept.length < maxRestBytes) kept += `${line}\n`;
  }

  // Uses patterns and not a JSON parser, because a packet with side data spans several lines.
  function addPacket(line: string): void {
    const index = /"stream_index": (\d+)/.exec(line)?.[1];
    const at = /"pts_time": "([^"]+)"/.exec(line)?.[1] ?? /"dts_time": "([^"]+)"/.exec(line)?.[1];
    if (index === undefined || !Number.isFinite(Number(at))) return;
    const duration = Number(/"duration_time": "([^"]+)"/.exec(line)?.[1] ?? 0);
    const end = Number(at) + (Number.isFinite(duration) ? duration : 0);
    endsS.set(Number(index), Math.max(endsS.get(Number(index)) ?? 0, end));
  }

  return {
    add(chunk: Buffer): void {
      pending += chunk.toString("utf8");
      const lines = pending.split("\n");
      pending = lines.pop() ?? "";
      if (pending.length > maxRestBytes) pending = "";
      for (const line of lines) addLine(line);
    },
    /** Returns the JSON without its packets. */
    rest: (): Buffer => Buffer.from(kept + pending),
    endsS: (): Map<number, number> => endsS,
  };
}

export interface FrameReading {
  frames: ProbedFrame[];
  /** Errors about the chosen stream. */
  decoderErrors: string[];
  result: RunResult;
}

/**
 * Limited to these fields, because thousands of frames with all fields would exceed the output
 * limit.
 */
const frameEntries = `frame=${Object.keys(probedFrame.shape).join(",")}`;

/**
 * Returns whether packets show where the video and its sound end. Without a packet, a sound that
 * ends earlier has its declared length.
 */
function hasEnds(info: ProbedInfo, endsS: Map<number, number>, endsEarly: boolean): boolean {
  if (endsS.size === 0) return false;
  const isKnown = (sound: ProbedStream) => endsS.has(sound.index) || declaredLengthS(sound) > 0;
  return endsS.has(chooseVideo(info, endsEarly).index) && listSounds(info).every(isKnown);
}

const readingOf = (result: RunResult): FrameReading => ({
  frames: parseProbe(probedFrames, result.stdout)?.frames ?? [],
  decoderErrors: listDecoderErrors(result.stderr),
  result,
});

/** @param ignoresEdits true to read a file's whole media, in the times of its tracks. */
export function createProber(
  deps: { tools: MediaTools; cwd: string },
  container: Container,
  localPath: string,
  { ignoresEdits, signal }: { ignoresEdits: boolean; signal: AbortSignal | undefined },
) {
  const alsoOpen = new Set<string>();

  const run = (
    args: string[],
    options: { threads?: number; onStdout?: (chunk: Buffer) => void } = {},
  ): Promise<RunResult> =>
    deps.tools.ffprobe({
      name: "probe",
      args: [
        ...["-threads", String(options.threads ?? 1)],
        ...args,
        ...(ignoresEdits ? withoutEdits(container) : []),
        ...guardProbe(container, localPath, [...alsoOpen]),
      ],
      cwd: deps.cwd,
      inputs: [localPath],
      limits: probeLimits,
      isUrgent: true,
      signal,
      onStdout: options.onStdout,
    });

  return {
    /**
     * Reads streams, format and the end of each stream's last packet (in container time).
     * @param endsEarly true to read all packets, because seeking to the end of a truncated file
     * finds none.
     */
    async readInfo(endsEarly: boolean): Promise<{ info: ProbedInfo; endsS: Map<number, number> }> {
      let readsAll = endsEarly;
      // Each round finds at least one codec that isn't supported. No usable file has more.
      for (let round = 0; round < 33; round += 1) {
        const ends = createPacketEnds();
        const result = await run(
          [
            ...["-show_format", "-show_streams", "-show_chapters", "-of", "json=compact=1"],
            ...["-show_entries", "packet=stream_index,pts_time,dts_time,duration_time"],
            // Seeking past the end returns the packets after the last keyframe.
            ...(readsAll ? [] : ["-read_intervals", "99999999%"]),
          ],
          { onStdout: (chunk) => ends.add(chunk) },
        );
        const info = result.exitCode === 0 ? parseProbe(probedInfo, ends.rest()) : null;
        if (info !== null) {
          const endsS = ends.endsS();
          if (readsAll || hasEnds(info, endsS, endsEarly)) return { info, endsS };
          // The ffprobe from npm finds no packets past the end of some Matroska files.
          readsAll = true;
          continue;
        }
        const refused = Array.from(
          result.stderr.matchAll(/Codec \((\w+)\) not on whitelist/g),
          ([, name = ""]) => name,
        ).filter((name) => !alsoOpen.has(name));
        if (refused.length === 0) throw explainUnopened(result, endsEarly);
        for (const name of refused) alsoOpen.add(name);
      }
      throw refuse.tooManyTracks();
    },

    /** Decodes the first `count` packets of one stream, or of all streams. */
    async readFrames(index: number | "all", count: number): Promise<FrameReading> {
      const result = await run(
        [
          ...(index === "all" ? [] : ["-select_streams", String(index)]),
          ...["-of", "json", "-show_entries", frameEntries],
          ...["-read_intervals", `%+#${count}`],
        ],
        { threads: 2 },
      );
      return readingOf(result);
    },

    /** See `MediaFacts.alsoOpen`. */
    listAlsoOpen: (): string[] => [...alsoOpen],
  };
}

export type Prober = ReturnType<typeof createProber>;
