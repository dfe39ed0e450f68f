import { existsSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { z } from "zod";
import { listImports, listSourceFiles } from "./source-rules.ts";

// Writes THIRD_PARTY_NOTICES; with --check, exits with 1 if the file is out of date.

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
const noticesFile = "THIRD_PARTY_NOTICES";
const licenceFile = /^(licen[cs]e|copying|ofl)(\.\w+)?$/i;

const lockSchema = z.object({
  packages: z.record(
    z.string(),
    z.object({
      version: z.string().optional(),
      license: z.string().optional(),
      dev: z.boolean().optional(),
      devOptional: z.boolean().optional(),
      dependencies: z.record(z.string(), z.string()).optional(),
    }),
  ),
});
type Packages = z.infer<typeof lockSchema>["packages"];

const heading = `Third-party notices

Kinora is licensed under the GNU Affero General Public License, version 3 or later; see LICENSE.
It uses the packages below under their own licences. This file is generated: npm run notices`;

/** Returns `@scope/name` or `name` of a bare import, or null for a file of this repository. */
export function packageOf(specifier: string): string | null {
  if (/^([./]|node:|virtual:)/.test(specifier)) return null;
  return specifier
    .split("/")
    .slice(0, specifier.startsWith("@") ? 2 : 1)
    .join("/");
}

/** Lists packages that the web part imports, with all their dependencies. */
function listBrowserPackages(packages: Packages): string[] {
  const found = new Set<string>(["@fontsource-variable/inter"]);
  const folders = ["src/web", "src/ads/web", "src/ads/admin"];
  for (const file of folders.flatMap((folder) => listSourceFiles(root, folder))) {
    if (/\.test\.tsx?$/.test(file)) continue;
    for (const specifier of listImports(file, readFileSync(join(root, file), "utf8"))) {
      const name = packageOf(specifier);
      if (name !== null) found.add(name);
    }
  }
  // A Set also iterates over entries that are added in the meantime.
  for (const name of found) {
    const dependencies = packages[`node_modules/${name}`]?.dependencies ?? {};
    for (const inner of Object.keys(dependencies)) found.add(inner);
  }
  return [...found].filter((name) => packages[`node_modules/${name}`] !== undefined).toSorted();
}

function readLicenceText(name: string): string {
  const folder = join(root, "node_modules", name);
  const file = existsSync(folder)
    ? readdirSync(folder).find((entry) => licenceFile.test(entry))
    : undefined;
  if (file === undefined) return "";
  return readFileSync(join(folder, file), "utf8").replaceAll("\r\n", "\n").trim();
}

/**
 * Returns the whole file: full licence texts for the browser's packages and a table for the
 * server's.
 */
function renderNotices(): string {
  const lock: unknown = JSON.parse(readFileSync(join(root, "package-lock.json"), "utf8"));
  const { packages } = lockSchema.parse(lock);
  const browser = listBrowserPackages(packages).map((name) => {
    const { version = "", license = "" } = packages[`node_modules/${name}`] ?? {};
    const text = readLicenceText(name);
    return `## ${name} ${version} (${license})\n\n${text === "" ? `No licence file; its package.json says ${license}.` : text}`;
  });
  const server = Object.entries(packages)
    .filter(([path, entry]) => path !== "" && entry.dev !== true && entry.devOptional !== true)
    .map(([path, { version = "", license = "see its package" }]) => {
      const name = path.slice(path.lastIndexOf("node_modules/") + "node_modules/".length);
      return `${name} ${version}: ${license}`;
    });
  return (
    [
      heading,
      "# Sent to browsers",
      ...browser,
      "# Installed on the server",
      [...new Set(server)].toSorted().join("\n"),
      "",
    ]
      .join("\n\n")
      .trimEnd() + "\n"
  );
}

if (import.meta.main) {
  const text = renderNotices();
  const path = join(root, noticesFile);
  if (!process.argv.includes("--check")) writeFileSync(path, text);
  else if (!existsSync(path) || readFileSync(path, "utf8") !== text) {
    console.log(`${noticesFile} is out of date. Run: npm run notices`);
    process.exitCode = 1;
  }
}
