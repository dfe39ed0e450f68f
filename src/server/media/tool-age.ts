/** What a media tool says of itself. */
export interface ToolVersion {
  /** "5.1.9-0+deb12u1", "n7.1", "N-118000-g..." (a development build). */
  version: string;
  /** The last year of its copyright notice: it was released then or later. */
  year: number | null;
}

/** Releases, for builds that name no year. */
const releases: Record<string, string> = {
  "5.0": "2022-01",
  "5.1": "2022-07",
  "6.0": "2023-02",
  "6.1": "2023-11",
  "7.0": "2024-04",
  "7.1": "2024-09",
  "8.0": "2025-08",
};

/** "ffmpeg version 7.1 Copyright (c) 2000-2024 the FFmpeg developers"; null for another program. */
export function readToolVersion(name: "ffmpeg" | "ffprobe", text: string): ToolVersion | null {
  const [, told, version] = /^(\w+) version (\S+)/.exec(text) ?? [];
  if (told !== name || version === undefined) return null;
  const year = /Copyright \(c\) (?:\d{4}-)?(\d{4})/.exec(text)?.[1];
  return { version, year: year === undefined ? null : Number(year) };
}

/**
 * Whether a tool is certainly older than a year, and so lacks fixes for hostile files. Distributions bring
 * fixes to old releases.
 */
export function isToolOld({ version, year }: ToolVersion, now: Date): boolean {
  if (/deb|ubuntu|\.el\d|\.fc\d|alpine/.test(version)) return false;
  const latest = year === null ? releases[/^n?(\d+\.\d+)/.exec(version)?.[1] ?? ""] : `${year}-12`;
  if (latest === undefined) return false;
  const limit = new Date(now);
  limit.setUTCFullYear(limit.getUTCFullYear() - 1);
  return latest < limit.toISOString().slice(0, 7);
}

/** The old ones among the tools, with their versions: "ffmpeg 7.0, ffprobe 6.1"; null where none is. */
export function listOldTools(
  tools: Record<"ffmpeg" | "ffprobe", ToolVersion>,
  now: Date,
): string | null {
  const old = Object.entries(tools).filter(([, tool]) => isToolOld(tool, now));
  return old.length === 0
    ? null
    : old.map(([name, { version }]) => `${name} ${version}`).join(", ");
}
