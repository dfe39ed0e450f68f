import { existsSync } from "node:fs";
import { installDebianPackages } from "./debian-package.mjs";

/** What stands around the program in `npm run test:cluster`: where Debian puts it, and its package. */
const tools = [
  ["/usr/lib/postgresql/15/bin/postgres", "postgresql-15"],
  ["/usr/sbin/pgbouncer", "pgbouncer"],
  ["/usr/sbin/nginx", "nginx"],
  ...["proxy", "account", "container", "object"].map((part) => [
    `/usr/bin/swift-${part}-server`,
    `swift-${part}`,
  ]),
];

const findMissing = () => tools.filter(([path]) => !existsSync(path)).map(([, name]) => name);

/**
 * Installs what is missing where we are root on Debian.
 * @returns one line that says what is still missing, or null.
 */
export async function ensureClusterTools() {
  const missing = findMissing();
  if (missing.length === 0) return null;
  await installDebianPackages(missing);
  const rest = findMissing();
  if (rest.length === 0) return null;
  return `These packages of Debian are missing: apt-get install --no-install-recommends ${rest.join(" ")}`;
}
