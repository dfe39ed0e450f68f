import { existsSync } from "node:fs";
import { installDebianPackages } from "./debian-package.mjs";
import { findOnPath } from "./find-program.mjs";

const withSwift = ["deaths", "ladder", "redirects-in-browser", "site-on-s3", "storage"];

/** Debian package of a program, its install path, and the tests that need it. */
const tools = [
  {
    name: "postgresql-15",
    path: "/usr/lib/postgresql/15/bin/postgres",
    tests: ["deaths", "ladder", "pooler", "replica", "restore", "tls"],
  },
  { name: "pgbouncer", path: "/usr/sbin/pgbouncer", tests: ["deaths", "ladder", "pooler"] },
  { name: "nginx", path: "/usr/sbin/nginx", tests: ["deaths", "nginx", "rolling-restart"] },
  ...["proxy", "account", "container", "object"].map((part) => ({
    name: `swift-${part}`,
    path: `/usr/bin/swift-${part}-server`,
    tests: withSwift,
  })),
  { name: "bubblewrap", path: "/usr/bin/bwrap", tests: ["container"] },
  { name: "tini", path: "/usr/bin/tini", tests: ["container"] },
];

const findMissing = () => tools.filter(({ path }) => !existsSync(path));

/** Returns whether missing packages can be installed here. */
export const canInstall = () => process.getuid?.() === 0 && findOnPath("apt-get") !== null;

/**
 * Installs what is missing if we are root on Debian.
 * @returns what is still missing, with the tests that need it.
 */
export async function ensureClusterTools() {
  const missing = findMissing();
  if (missing.length > 0) await installDebianPackages(missing.map(({ name }) => name));
  return findMissing();
}
