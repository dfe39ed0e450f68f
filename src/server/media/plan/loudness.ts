import type { Loudness } from "#contract/videos/videos.ts";

const targetLufs = -14;
/** Maximum peak. Encoders raise the peaks of their input a little. */
const maxPeakDb = -1;
/** Maximum gain. Audio that needs more is silence with noise. */
const maxRaiseDb = 20;
/** Gate of EBU R128. Anything quieter is silence. */
const silenceLufs = -70;

/**
 * Returns the gain in dB that reaches the target loudness. The true peak limits it: there is no
 * limiter, so only the volume changes.
 */
export function planGainDb(loudness: Loudness | null): number {
  if (loudness === null) return 0;
  const { integratedLufs, truePeakDb } = loudness;
  const wantedDb = Math.min(targetLufs - integratedLufs, maxPeakDb - truePeakDb, maxRaiseDb);
  return Math.round(wantedDb * 10) / 10;
}

/** Filter that measures loudness. It reports when it ends, at log level "info". */
export const measureFilter = "ebur128=peak=true:framelog=verbose";

/** Parses the filter's report. Returns null for silence or if there is no report. */
export function parseLoudness(stderr: string): Loudness | null {
  // Earlier output may come from the file, because its titles are printed, too.
  const report = stderr.slice(Math.max(0, stderr.lastIndexOf("Summary:")));
  const find = (pattern: RegExp): number => Number(pattern.exec(report)?.[1] ?? Number.NaN);
  const loudness = {
    integratedLufs: find(/^\s*I:\s+(\S+) LUFS/m),
    truePeakDb: find(/^\s*Peak:\s+(\S+) dBFS/m),
    rangeLu: find(/^\s*LRA:\s+(\S+) LU/m),
  };
  if (!Object.values(loudness).every(Number.isFinite)) return null;
  return loudness.integratedLufs > silenceLufs ? loudness : null;
}
