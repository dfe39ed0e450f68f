import { ok, warning } from "./finding.ts";
import type { Finding } from "#contract/site/doctor.ts";

/** Last month in which each major version gets fixes. Newer majors are missing. */
const nodeEnds: Record<string, string> = {
  20: "2026-04",
  22: "2027-04",
  24: "2028-04",
};
const postgresEnds: Record<string, string> = {
  15: "2027-11",
  16: "2028-11",
  17: "2029-11",
  18: "2030-11",
};
const monthOf = (at: Date): string => at.toISOString().slice(0, 7);

/** Checks whether Node.js and PostgreSQL still receive fixes. */
export function checkVersions(
  versions: { kinora: string; node: string; postgres: string },
  now: Date,
): Finding {
  const { kinora, node, postgres } = versions;
  const says = `Kinora ${kinora}, Node.js ${node}, PostgreSQL ${postgres}`;
  const outdated = [
    ...(hasEnded(nodeEnds[majorVersion(node)], now) ? ["Node.js"] : []),
    ...(hasEnded(postgresEnds[majorVersion(postgres)], now) ? ["PostgreSQL"] : []),
  ];
  if (outdated.length === 0) return ok("versions", says);
  const advice = `Upgrade ${outdated.join(" and ")}: this version no longer gets fixes.`;
  return warning("versions", says, advice);
}

const majorVersion = (version: string): string => /^\d+/.exec(version)?.[0] ?? "";
const hasEnded = (month: string | undefined, now: Date): boolean =>
  month !== undefined && month < monthOf(now);
