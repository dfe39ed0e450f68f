/** Where a visitor stopped watching, by video, in this browser only. */
export interface ResumePoints {
  /** Seconds, or null where the video starts at the beginning. */
  find(videoId: string): number | null;
  save(videoId: string, positionS: number, durationS: number): void;
  remove(videoId: string): void;
}

const key = "kinora.resume";
const maxEntries = 100;
/** A shorter video always starts at the beginning. */
const minDurationS = 60;
/** Positions this near to the start or the end are not worth resuming. */
const edgeS = 10;

type Entries = [videoId: string, positionS: number][];

function parse(text: string | null): Entries {
  if (text === null) return [];
  const value: unknown = JSON.parse(text);
  if (!Array.isArray(value)) return [];
  const entries: Entries = [];
  for (const entry of value as unknown[]) {
    if (!Array.isArray(entry)) continue;
    const [id, positionS] = entry as unknown[];
    if (typeof id === "string" && typeof positionS === "number" && positionS >= 0) {
      entries.push([id, positionS]);
    }
  }
  return entries;
}

export function createResumePoints(storage: () => Storage): ResumePoints {
  const read = (): Entries => {
    try {
      return parse(storage().getItem(key));
    } catch {
      return [];
    }
  };
  const write = (entries: Entries) => {
    try {
      storage().setItem(key, JSON.stringify(entries.slice(0, maxEntries)));
    } catch {
      // Without storage nothing is resumed.
    }
  };
  const remove = (videoId: string) => {
    const entries = read();
    const rest = entries.filter(([id]) => id !== videoId);
    if (rest.length !== entries.length) write(rest);
  };

  return {
    find: (videoId) => read().find(([id]) => id === videoId)?.[1] ?? null,
    save(videoId, positionS, durationS) {
      if (durationS < minDurationS) return;
      if (positionS < edgeS || positionS > durationS - edgeS) return remove(videoId);
      const rest = read().filter(([id]) => id !== videoId);
      write([[videoId, Math.floor(positionS)], ...rest]);
    },
    remove,
  };
}
