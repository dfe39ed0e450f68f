import type { CaptionLine } from "#contract/videos/captions.ts";

/** Line in the editor. Its times are text until it is saved. */
export interface EditedLine {
  key: number;
  start: string;
  end: string;
  text: string;
  place: string;
}

/** Formats a time as "1:02:03.450", or as "2:03.450" if it has no hours. */
export function timeText(timeMs: number): string {
  const [hours, minutes] = [Math.floor(timeMs / 3_600_000), Math.floor(timeMs / 60_000) % 60];
  const seconds = ((timeMs % 60_000) / 1000).toFixed(3).padStart(6, "0");
  return hours > 0
    ? `${hours}:${String(minutes).padStart(2, "0")}:${seconds}`
    : `${minutes}:${seconds}`;
}

/** Parses "1:02:03.45", "2:03,5" or "3.5" to milliseconds. Returns null for anything else. */
export function readTime(text: string): number | null {
  const match = /^(?:(?:(\d{1,3}):)?(\d{1,2}):)?(\d{1,5})(?:[.,](\d{1,3}))?$/.exec(text.trim());
  if (match === null) return null;
  const [, hours = "0", minutes = "0", seconds = "0", fraction = "0"] = match;
  return (
    (Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds)) * 1000 +
    Number(fraction.padEnd(3, "0"))
  );
}

let lastKey = 0;

export function editLine(line: CaptionLine): EditedLine {
  lastKey += 1;
  const { startMs, endMs, text, place } = line;
  return { key: lastKey, start: timeText(startMs), end: timeText(endMs), text, place };
}

/** Returns the line to save, or null if its times are invalid. */
export function savedLine({ start, end, text, place }: EditedLine): CaptionLine | null {
  const [startMs, endMs] = [readTime(start), readTime(end)];
  if (startMs === null || endMs === null || endMs <= startMs) return null;
  return { startMs, endMs, text, place };
}

/** Shifts every line with valid times, but not before zero. */
export function shiftEdited(lines: readonly EditedLine[], byMs: number): EditedLine[] {
  return lines.map((line) => {
    const saved = savedLine(line);
    if (saved === null) return line;
    const move = (timeMs: number) => timeText(Math.max(0, timeMs + byMs));
    return { ...line, start: move(saved.startMs), end: move(saved.endMs) };
  });
}

/** Returns the index of the line spoken at a given time, or of the last one before it. */
export function placeAt(lines: readonly EditedLine[], timeMs: number): number {
  return Math.max(
    0,
    lines.findLastIndex(({ start }) => (readTime(start) ?? Infinity) <= timeMs),
  );
}
