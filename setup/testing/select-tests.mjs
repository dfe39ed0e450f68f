import { execFileSync } from "node:child_process";

/** Projects of vitest.config.ts. */
const projects = ["unit", "long", "e2e"];
const changedOption = "--changed";

/**
 * Translates the arguments of `npm test` for Vitest.
 *
 * - `--project=NAME` (repeatable) chooses projects. Without it, all projects run, or only those that
 *   have tests under the given paths: `src/server/http` needs no browser.
 * - `--changed [REV]` runs the quick tests that import a file changed since REV (default: the commit at
 *   which this branch left its upstream branch, or main). Long and end-to-end tests import almost
 *   everything, so they run only if they are named.
 * - All other arguments go to Vitest unchanged: paths, `-t NAME`.
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
  if (at < 0) return { projects: named.length > 0 ? named : projectsWith(rest), args: rest };

  const next = rest[at + 1];
  const hasRevision = next !== undefined && !next.startsWith("-") && !next.includes("/");
  const others = rest.filter((_, index) => index !== at && !(hasRevision && index === at + 1));
  return {
    projects: named.length > 0 ? named : ["unit"],
    args: [`${changedOption}=${hasRevision ? next : findBranchPoint()}`, ...others],
  };
}

/** Returns the projects that have tests under the paths among the arguments. */
function projectsWith(args) {
  const paths = args.filter((arg) => /^(\.\/)?(src|setup|test|bench|demo|e2e)(\/|$)/.test(arg));
  if (paths.length === 0) return projects;
  const isE2e = (path) => /^(\.\/)?e2e(\/|$)/.test(path);
  if (paths.every(isE2e)) return ["e2e"];
  return paths.some(isE2e) ? projects : ["unit", "long"];
}

/**
 * Returns the commit at which this branch left its upstream branch or main. Returns HEAD if git
 * knows neither.
 */
function findBranchPoint() {
  for (const other of ["@{upstream}", "main"]) {
    try {
      return execFileSync("git", ["merge-base", "HEAD", other], {
        encoding: "utf8",
        stdio: ["ignore", "pipe", "ignore"],
      }).trim();
    } catch {
      // Try the next one.
    }
  }
  return "HEAD";
}
