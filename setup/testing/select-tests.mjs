import { execFileSync } from "node:child_process";

/** Projects of vitest.config.ts. */
const projects = ["unit", "long", "e2e"];
const changedOption = "--changed";

/**
 * Translates the arguments of `npm test` for Vitest.
 *
 * - `--project=NAME` (repeatable) chooses projects; without it all of them run.
 * - `--changed [REV]` runs the tests that import a file changed since REV (default: the commit at
 *   which this branch left main). End-to-end tests start the whole server and so import everything;
 *   with `--changed` they run only where they are named.
 * - everything else goes to Vitest as it is: paths, `-t NAME`.
 * @returns the projects to run and the arguments for Vitest.
 */
export function selectTests(args) {
  const isProject = (arg) => arg.startsWith("--project=");
  const named = args.filter(isProject).map((arg) => arg.slice("--project=".length));
  const unknown = named.find((name) => !projects.includes(name));
  if (unknown !== undefined) {
    throw new RangeError(`--project=${unknown}: there are ${projects.join(", ")}.`);
  }
  const rest = args.filter((arg) => !isProject(arg));
  const at = rest.indexOf(changedOption);
  if (at < 0) return { projects: named.length > 0 ? named : projects, args: rest };

  const next = rest[at + 1];
  const hasRevision = next !== undefined && !next.startsWith("-") && !next.includes("/");
  const others = rest.filter((_, index) => index !== at && !(hasRevision && index === at + 1));
  return {
    projects: named.length > 0 ? named : ["unit", "long"],
    args: [`${changedOption}=${hasRevision ? next : findBranchPoint()}`, ...others],
  };
}

/** The commit at which this branch left main; HEAD where git cannot tell. */
function findBranchPoint() {
  try {
    return execFileSync("git", ["merge-base", "HEAD", "main"], {
      encoding: "utf8",
      stdio: ["ignore", "pipe", "ignore"],
    }).trim();
  } catch {
    return "HEAD";
  }
}
