import type { Loudness } from "#contract/videos/videos.ts";

const targetLufs = -14;
/** Encoders add a little to the peaks of what they get. */
const maxPeakDb = -1;
/** What is raised by more is a silence with noise. */
const maxRaiseDb = 20;
/** The gate of EBU R128: what is quieter is silence. */
const silenceLufs = -70;

/**
 * What brings a sound to the target loudness, in dB. It is raised only as far as its true peak
 * allows: nothing is limited, so nothing changes but the volume.
 */
export function planGainDb(loudness: Loudness | null): number {
  if (loudness === null) return 0;
  const { integratedLufs, truePeakDb } = loudness;
  const wantedDb = Math.min(targetLufs - integratedLufs, maxPeakDb - truePeakDb, maxRaiseDb);
  return Math.round(wantedDb * 10) / 10;
}

/** The filter that measures what reaches it. It reports at its end, on the level of information. */
export const measureFilter = "ebur128=peak=true:framelog=verbose";

/** Reads the report of the filter; null for silence, and where there is none. */
export function parseLoudness(stderr: string): Loudness | null {
  // What stands before it may be of the file: titles are printed too.
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
