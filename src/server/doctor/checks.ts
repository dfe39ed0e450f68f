import { statfs } from "node:fs/promises";
import type { Config } from "../config.ts";
import { migrations } from "../db/migrate.ts";
import { connectionsOf } from "../db/pool-size.ts";
import { ensureDataFolder } from "../lib/data-folder.ts";
import type { Media } from "../media/media.ts";
import { failure, ok, warning, type Finding } from "./finding.ts";
import type { ServerState } from "./server-state.repository.ts";

const maxClockOffsetS = 2;
const minFreeShare = 0.1;
const requestMs = 3000;

const list = (names: string[]) => names.join(", ");

export function checkDatabase(
  state: ServerState,
  { webProcesses }: Pick<Config, "webProcesses">,
): Finding[] {
  const missing = Object.keys(migrations).filter((name) => !state.migrations.includes(name));
  const foreign = state.migrations.filter((name) => migrations[name] === undefined);
  const needed = connectionsOf(webProcesses);
  const offset = state.clockAheadS;
  return [
    ok("database", `PostgreSQL ${state.version}`),
    foreign.length > 0
      ? failure("schema", `changed by another version (${list(foreign)})`, "Start that version.")
      : missing.length > 0
        ? warning("schema", `${missing.length} migrations wait`, "Run npm run migrate, or start.")
        : ok("schema", "up to date"),
    state.maxConnections < needed
      ? warning(
          "connections",
          `this machine opens up to ${needed}, the server accepts ${state.maxConnections}`,
          "Raise max_connections, or lower WEB_PROCESSES.",
        )
      : ok("connections", `up to ${needed} of ${state.maxConnections}`),
    Math.abs(offset) > maxClockOffsetS
      ? warning(
          "clocks",
          `that of the database is ${offset.toFixed(1)} s ahead`,
          "Let NTP set the clocks of both machines: sessions, schedules and jobs compare them.",
        )
      : ok("clocks", "this machine and the database agree"),
  ];
}

export async function checkStorage({
  dataDir,
  maxUploadBytes,
}: Pick<Config, "dataDir" | "maxUploadBytes">): Promise<Finding[]> {
  await ensureDataFolder(dataDir);
  const { bavail, blocks, bsize } = await statfs(dataDir);
  const free = `${((bavail * bsize) / 1e9).toFixed(1)} GB free`;
  // An upload, its renditions and their copies.
  const isLow = bavail / blocks < minFreeShare || bavail * bsize < maxUploadBytes * 5;
  const advice = "Enlarge the disk of DATA_DIR: without space uploads are refused.";
  return [isLow ? warning("storage", free, advice) : ok("storage", free)];
}

export function checkMedia({ version, degraded, sandbox }: Media["report"]): Finding[] {
  return [
    degraded.length > 0
      ? warning("ffmpeg", `${version} works without ${list(degraded)}`, "Install a full ffmpeg.")
      : ok("ffmpeg", version),
    sandbox.level === "bwrap"
      ? ok("sandbox", sandbox.description)
      : warning("sandbox", sandbox.description, "Install bubblewrap; see docs/operating.md."),
  ];
}

/** Whether links, cookies and limits fit the way in which visitors come. */
export function checkAddresses(
  config: Pick<Config, "siteUrl" | "trustProxy">,
  settingsUrl: string | null,
): Finding[] {
  const url = settingsUrl ?? config.siteUrl;
  const { protocol, hostname } = new URL(url);
  const isLocal = ["localhost", "127.0.0.1", "[::1]"].includes(hostname);
  const findings: Finding[] = [];
  if (isLocal) {
    const advice = "Set SITE_URL or the address in Settings: links, RSS and sitemaps carry it.";
    findings.push(warning("address", `${url} leads nowhere from outside`, advice));
  } else if (protocol === "http:") {
    const advice = "Put a proxy with TLS in front: passwords and cookies are sent in the open.";
    findings.push(warning("address", `${url} is not encrypted`, advice));
  } else findings.push(ok("address", url));
  if (protocol === "https:" && config.trustProxy.length === 0) {
    const advice = "Set TRUST_PROXY to the proxy's address, or all visitors share one limit.";
    findings.push(warning("proxy", "https, but no proxy is trusted", advice));
  }
  return findings;
}

/** Whether the site responds on this machine. It may be stopped, which is no failure. */
export async function checkRunning({
  host,
  port,
  role,
}: Pick<Config, "host" | "port" | "role">): Promise<Finding[]> {
  if (role === "worker") return [];
  const name = host === "0.0.0.0" ? "127.0.0.1" : host === "::" ? "::1" : host;
  const url = `http://${name.includes(":") ? `[${name}]` : name}:${port}/readyz`;
  const signal = AbortSignal.timeout(requestMs);
  const response = await fetch(url, { signal }).catch(() => null);
  if (response === null) return [ok("site", `not running at ${url}`)];
  const text = await response.text();
  if (response.ok) return [ok("site", "runs and is ready")];
  return [failure("site", `is not ready: ${text}`, "The log says more.")];
}
