/** Version that a media tool reports. */
export interface ToolVersion {
  /**
   * Version such as "5.1.9-0+deb12u1", "n7.1", "N-118000-g..." or "git-2025-03-14-..." (development
   * builds).
   */
  version: string;
  /** Last year in its copyright notice. The release is from that year or later. */
  year: number | null;
  /** Major version of its libavutil: 57 is ffmpeg 5. */
  libavutil: number | null;
}

/** Month of each release, for builds without a year. */
const releases: Record<string, string> = {
  "5.0": "2022-01",
  "5.1": "2022-07",
  "6.0": "2023-02",
  "6.1": "2023-11",
  "7.0": "2024-04",
  "7.1": "2024-09",
  "8.0": "2025-08",
};

/**
 * Parses "ffmpeg version 7.1 Copyright (c) 2000-2024 the FFmpeg developers", followed by lines such
 * as "libavutil      59. 39.100"; null for another program.
 */
export function readToolVersion(name: "ffmpeg" | "ffprobe", text: string): ToolVersion | null {
  const [, told, version] = /^(\w+) version (\S+)/.exec(text) ?? [];
  if (told !== name || version === undefined) return null;
  const year = /Copyright \(c\) (?:\d{4}-)?(\d{4})/.exec(text)?.[1];
  const libavutil = /^libavutil +(\d+)\./m.exec(text)?.[1];
  return {
    version,
    year: year === undefined ? null : Number(year),
    libavutil: libavutil === undefined ? null : Number(libavutil),
  };
}

/**
 * Returns whether a tool is definitely older than a year and lacks fixes for hostile files.
 * Distributions backport fixes to old releases.
 */
export function isOutdatedTool({ version, year }: ToolVersion, now: Date): boolean {
  if (/deb|ubuntu|\.el\d|\.fc\d|alpine/.test(version)) return false;
  const latest = year === null ? releases[/^n?(\d+\.\d+)/.exec(version)?.[1] ?? ""] : `${year}-12`;
  if (latest === undefined) return false;
  const limit = new Date(now);
  limit.setUTCFullYear(limit.getUTCFullYear() - 1);
  return latest < limit.toISOString().slice(0, 7);
}

/**
 * Returns the old tools with their versions, such as "ffmpeg 7.0, ffprobe 6.1"; null if there are
 * none.
 */
export function listOldTools(
  tools: Record<"ffmpeg" | "ffprobe", ToolVersion>,
  now: Date,
): string | null {
  const old = Object.entries(tools).filter(([, tool]) => isOutdatedTool(tool, now));
  return old.length === 0
    ? null
    : old.map(([name, { version }]) => `${name} ${version}`).join(", ");
}
