import type { PacketScan } from "../facts/packet-scan.ts";
import { closeJumps, findJumps, withoutJumps } from "../facts/jumps.ts";
import { guardProbe } from "../facts/input-guards.ts";
import { smallJobLimits } from "../facts/process-limits.ts";
import { throwIfMemoryRefused } from "../run/media-process-error.ts";
import type { MediaTools } from "../run/media-tools.ts";
import type { MediaFacts } from "../facts/media-facts.ts";

/** Maximum number of packets: twelve hours at 100 frames per second. */
const maxPackets = 4_500_000;

interface PacketTimes {
  all: number[];
  keyframes: number[];
}

/** If packets are further apart than this, the other track decides whether timestamps jump. */
const suspiciousS = 30;

/**
 * Reads all packets of a file without decoding (0.4 s for 500 MB). Returns the true frame rate,
 * keyframe distances and timestamp jumps. The jumps are removed from all returned times.
 */
export async function scanPackets(
  deps: { tools: MediaTools; cwd: string },
  facts: MediaFacts,
  sourcePath: string,
  signal?: AbortSignal,
): Promise<{ scan: PacketScan; facts: MediaFacts }> {
  const read = (index: number): Promise<PacketTimes> =>
    readTimes(deps, facts, sourcePath, index, signal);
  const { all, keyframes } = await read(facts.video.index);
  const { audio } = facts;
  const isSuspicious =
    hasGap(all) || (audio !== null && audio.endS > facts.video.endS + suspiciousS);
  const audioTimes = isSuspicious && audio !== null ? (await read(audio.index)).all : null;
  const jumps = isSuspicious ? findJumps(all, audioTimes) : [];
  const close = (times: number[]): number[] =>
    jumps.length === 0 ? times : times.map((time) => withoutJumps(time, jumps));
  const closed = closeJumps(facts, jumps);
  return { scan: summarise(close(all), close(keyframes), closed), facts: closed };
}

function hasGap(times: readonly number[]): boolean {
  const sorted = Float64Array.from(times).sort();
  return sorted.some((time, i) => i > 0 && time - (sorted[i - 1] ?? 0) > suspiciousS);
}

/** Reads the times of one track's packets, in seconds from the start of the file. */
async function readTimes(
  deps: { tools: MediaTools; cwd: string },
  facts: MediaFacts,
  sourcePath: string,
  index: number,
  signal: AbortSignal | undefined,
): Promise<PacketTimes> {
  const times: PacketTimes = { all: [], keyframes: [] };
  let pending = "";
  const result = await deps.tools.ffprobe({
    name: "scan",
    args: [
      ...["-select_streams", String(index)],
      ...["-show_entries", "packet=pts_time,dts_time,flags", "-of", "csv=p=0"],
      ...guardProbe(facts.container, sourcePath, facts.alsoOpen),
    ],
    cwd: deps.cwd,
    inputs: [sourcePath],
    limits: smallJobLimits,
    signal,
    isUrgent: true,
    onStdout(chunk) {
      pending += chunk.toString("latin1");
      const lines = pending.split("\n");
      pending = (lines.pop() ?? "").slice(-200);
      for (const line of lines) {
        const [pts, dts, flags] = line.split(",");
        const time = Number(pts === "N/A" ? dts : pts) - facts.startS;
        if (!Number.isFinite(time) || times.all.length >= maxPackets) continue;
        times.all.push(time);
        if (flags?.startsWith("K") === true) times.keyframes.push(time);
      }
    },
  });
  throwIfMemoryRefused("scan", result);
  return times;
}

/**
 * Computes frame rates and keyframe distances from presentation times in any order, relative to the
 * start of the file.
 */
export function summarise(
  times: number[],
  keyframes: number[],
  facts: Pick<MediaFacts, "durationS">,
): PacketScan {
  const sorted = Float64Array.from(times).sort();
  const first = sorted[0] ?? 0;
  const last = sorted.at(-1) ?? 0;
  const deltas = new Float64Array(Math.max(sorted.length - 1, 0));
  for (let i = 0; i < deltas.length; i += 1) deltas[i] = (sorted[i + 1] ?? 0) - (sorted[i] ?? 0);
  const byLength = deltas.toSorted();
  const medianS = byLength[Math.floor(byLength.length / 2)] ?? 0;
  const toleranceS = Math.max(medianS * 0.3, 0.002);
  const uneven = deltas.filter((delta) => Math.abs(delta - medianS) > toleranceS).length;

  const keys = Float64Array.from(keyframes).sort();
  let gapS = (keys[0] ?? last) - first;
  for (let i = 0; i < keys.length; i += 1) {
    gapS = Math.max(gapS, (keys[i + 1] ?? facts.durationS) - (keys[i] ?? 0));
  }
  return {
    packetCount: sorted.length,
    endS: sorted.length > 0 ? Math.max(last + medianS, 0) : 0,
    averageFps: last > first ? (sorted.length - 1) / (last - first) : 0,
    medianFps: medianS > 0 ? 1 / medianS : 0,
    isVariable: deltas.length > 0 && uneven > Math.max(1, deltas.length * 0.05),
    maxKeyframeGapS: Math.max(gapS, 0),
  };
}
