import { ok, warning } from "./finding.ts";
import type { Finding } from "../../contract/doctor.ts";

/** The last month with fixes, by major version; newer majors are younger than this list. */
const nodeEnds: Record<string, string> = {
  ...{ 20: "2026-04", 22: "2027-04", 24: "2028-04" },
};
const postgresEnds: Record<string, string> = {
  ...{ 15: "2027-11", 16: "2028-11", 17: "2029-11", 18: "2030-11" },
};
const ffmpegReleases: Record<string, string> = {
  ...{ "5.0": "2022-01", "5.1": "2022-07", "6.0": "2023-02", "6.1": "2023-11" },
  ...{ "7.0": "2024-04", "7.1": "2024-09", "8.0": "2025-08" },
};
const maxFfmpegAgeYears = 3;

const monthOf = (at: Date): string => at.toISOString().slice(0, 7);

/** Whether Node.js and PostgreSQL still get fixes. */
export function checkVersions(
  versions: { kinora: string; node: string; postgres: string },
  now: Date,
): Finding {
  const { kinora, node, postgres } = versions;
  const says = `Kinora ${kinora}, Node.js ${node}, PostgreSQL ${postgres}`;
  const outdated = [
    ...(hasEnded(nodeEnds[majorOf(node)], now) ? ["Node.js"] : []),
    ...(hasEnded(postgresEnds[majorOf(postgres)], now) ? ["PostgreSQL"] : []),
  ];
  if (outdated.length === 0) return ok("versions", says);
  const advice = `Upgrade ${outdated.join(" and ")}: this version gets no more fixes.`;
  return warning("versions", says, advice);
}

const majorOf = (version: string): string => /^\d+/.exec(version)?.[0] ?? "";
const hasEnded = (month: string | undefined, now: Date): boolean =>
  month !== undefined && month < monthOf(now);

/**
 * Whether a release of ffmpeg is so old that it misses years of fixes. Distributions bring fixes to
 * old releases; development builds have no release.
 */
export function isFfmpegOld(version: string, now: Date): boolean {
  if (/deb|ubuntu|\.el\d|\.fc\d|alpine/.test(version)) return false;
  const released = ffmpegReleases[/^n?(\d+\.\d+)/.exec(version)?.[1] ?? ""];
  if (released === undefined) return false;
  const limit = new Date(now);
  limit.setUTCFullYear(limit.getUTCFullYear() - maxFfmpegAgeYears);
  return released < monthOf(limit);
}
