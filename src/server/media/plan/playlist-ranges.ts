/** Range of bytes that a player requests. */
export interface ByteRange {
  /** File name in the playlist. */
  uri: string;
  offset: number;
  length: number;
}

/** Segment of a rendition. */
export interface Segment extends ByteRange {
  durationS: number;
}

export interface PlaylistRanges {
  /** Initialisation segment; null without one. */
  head: ByteRange | null;
  segments: Segment[];
  isComplete: boolean;
}

/** Parses the segments of a media playlist (RFC 8216, 4.3.2.1, 4.3.2.2 and 4.3.2.5). */
export function readRanges(text: string): PlaylistRanges {
  let head: ByteRange | null = null;
  const segments: Segment[] = [];
  let durationS = 0;
  let next: { length: number; offset: number | null } | null = null;
  let previousEnd = 0;
  for (const line of text.split("\n").map((each) => each.trim())) {
    const map = /^#EXT-X-MAP:URI="([^"]+)",BYTERANGE="(\d+)@(\d+)"/.exec(line);
    const range = /^#EXT-X-BYTERANGE:(\d+)(?:@(\d+))?/.exec(line);
    durationS = Number(/^#EXTINF:([\d.]+)/.exec(line)?.[1] ?? durationS);
    if (map !== null) {
      head = { uri: map[1] ?? "", length: Number(map[2]), offset: Number(map[3]) };
    } else if (range !== null) {
      const [, length, offset] = range;
      next = { length: Number(length), offset: offset === undefined ? null : Number(offset) };
    } else if (line !== "" && !line.startsWith("#") && next !== null) {
      const offset: number = next.offset ?? previousEnd;
      segments.push({ uri: line, length: next.length, offset, durationS });
      previousEnd = offset + next.length;
      next = null;
    }
  }
  return { head, segments, isComplete: /^#EXT-X-ENDLIST/m.test(text) };
}

/**
 * Compares a playlist with the sizes of its files.
 * @param sizeOf returns a file's size in bytes; null if it is missing.
 * @returns the problem; null if players get every byte.
 */
export function findRangeProblem(
  text: string,
  sizeOf: (uri: string) => number | null,
): string | null {
  const { head, segments, isComplete } = readRanges(text);
  if (!isComplete || segments.length === 0) return "its end is missing";
  for (const { uri, offset, length } of head === null ? segments : [head, ...segments]) {
    const size = sizeOf(uri);
    if (size === null) return `${uri} is missing`;
    if (offset + length > size) return `${uri} has ${size} of ${offset + length} bytes`;
  }
  return null;
}
