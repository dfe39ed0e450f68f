import { existsSync, globSync, readFileSync, readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { z } from "zod";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const licenceFile = /^(licen[cs]e|copying|ofl)(\.\w+)?$/i;

const lockSchema = z.object({
  packages: z.record(
    z.string(),
    z.object({
      version: z.string().optional(),
      // A few old packages that only tests use have a list of objects.
      license: z.string().optional().catch(undefined),
      dev: z.boolean().optional(),
      devOptional: z.boolean().optional(),
      dependencies: z.record(z.string(), z.string()).optional(),
    }),
  ),
});
type Packages = z.infer<typeof lockSchema>["packages"];

const heading = `Third-party notices

Kinora is licensed under the GNU Affero General Public License, version 3 or later; see LICENSE.
It uses the packages below under their own licences.`;

/** Imported package in a source file, `@scope/name` or `name`. */
const importedPackage = /(?:from|import)\s*\(?\s*"((?:@[\w.-]+\/)?[\w.-]+)[^"]*"/g;

/** Lists packages that the web part imports, with all their dependencies. */
function listBrowserPackages(packages: Packages): string[] {
  const found = new Set<string>(["@fontsource-variable/inter"]);
  const files = globSync("src/{web,ads/web,ads/admin}/**/*.{ts,tsx}", { cwd: root });
  for (const file of files) {
    if (/\.(test|fixture)\.tsx?$/.test(file)) continue;
    const text = readFileSync(join(root, file), "utf8");
    for (const [, name = ""] of text.matchAll(importedPackage)) found.add(name);
  }
  // A Set also iterates over entries that are added in the meantime.
  for (const name of found) {
    const dependencies = packages[`node_modules/${name}`]?.dependencies ?? {};
    for (const inner of Object.keys(dependencies)) found.add(inner);
  }
  return [...found].filter((name) => packages[`node_modules/${name}`] !== undefined).toSorted();
}

interface Licence {
  copyrights: string[];
  /** Text without the copyright lines, which many packages share. */
  terms: string;
}

function readLicence(name: string): Licence {
  const folder = join(root, "node_modules", name);
  const file = existsSync(folder)
    ? readdirSync(folder).find((entry) => licenceFile.test(entry))
    : undefined;
  if (file === undefined) return { copyrights: [], terms: "" };
  const lines = readFileSync(join(folder, file), "utf8").replaceAll("\r\n", "\n").split("\n");
  const isCopyright = (line: string) => /^\s*copyright (\(c\)|©|\d)/i.test(line);
  return {
    copyrights: lines.filter(isCopyright).map((line) => line.trim()),
    terms: lines
      .filter((line) => !isCopyright(line))
      .join("\n")
      .replaceAll(/\n{3,}/g, "\n\n")
      .trim(),
  };
}

/** Returns the licences of packages, each text once with the packages that use it. */
function renderLicences(names: readonly string[], packages: Packages): string[] {
  const licences = names.map((name) => {
    const { version = "", license = "" } = packages[`node_modules/${name}`] ?? {};
    const { copyrights, terms } = readLicence(name);
    const heading = [`## ${name} ${version} (${license})`, ...copyrights].join("\n");
    return { heading, terms: terms || `No licence file. Its package.json says ${license}.` };
  });
  const groups = Map.groupBy(licences, ({ terms }) =>
    terms
      .replace(/^(the )?mit license( \(mit\))?$/im, "")
      .replaceAll(/\s+/g, " ")
      .trim(),
  );
  return [...groups.values()].map((group) =>
    [...group.map(({ heading }) => heading), group[0]?.terms].join("\n\n"),
  );
}

/** Breaks a text into lines of at most 100 characters. */
const wrap = (text: string): string => text.replaceAll(/(.{1,100})(?:\s|$)/g, "$1\n").trimEnd();

/** Returns THIRD_PARTY_NOTICES: licence texts of the browser's packages and a list of the server's. */
export function renderNotices(): string {
  const lock: unknown = JSON.parse(readFileSync(join(root, "package-lock.json"), "utf8"));
  const { packages } = lockSchema.parse(lock);
  const browser = renderLicences(listBrowserPackages(packages), packages);
  const server = Object.entries(packages)
    .filter(([path, entry]) => path !== "" && entry.dev !== true && entry.devOptional !== true)
    .map(([path, { version = "", license = "see its package" }]) => {
      const name = path.slice(path.lastIndexOf("node_modules/") + "node_modules/".length);
      return { text: `${name} ${version}`, license };
    });
  const byLicence = [...Map.groupBy(server, ({ license }) => license)]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([license, group]) => {
      const names = [...new Set(group.map(({ text }) => text))].toSorted();
      return `${license}:\n${wrap(names.join(", "))}`;
    });
  return (
    [heading, "# Sent to browsers", ...browser, "# Installed on the server", ...byLicence, ""]
      .join("\n\n")
      .trimEnd() + "\n"
  );
}
