import { existsSync, readFileSync, readdirSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { parseSync } from "vite";
import { findBrokenRule } from "./import-rules.ts";
import { findLooseLinks } from "./link-rules.ts";
import { findPhysicalSides } from "./side-rules.ts";
import { findBrokenSqlRules } from "./sql-rules.ts";
import { findRawTargets } from "./target-rules.ts";
import { findLooseTexts } from "./text-rules.ts";

const vagueNames = /^(index|utils?|types?|helpers?|common|misc)\.tsx?$/;
const maxLines = 500;
/** Folders that contain our code. */
const folders = ["src", "demo", "test", "bench", "e2e", "setup"];

/**
 * Checks the source files below `root`: file names, lengths, imports, places of SQL, and physical
 * sides in styles.
 * @returns one line for each broken rule.
 */
export function findBrokenSourceRules(root: string): string[] {
  const files = folders.flatMap((folder) => listSourceFiles(root, folder)).toSorted();
  const broken = files.flatMap((file) => {
    const text = readFileSync(join(root, file), "utf8");
    return [
      ...checkFile(file, text),
      ...checkImports(file, text),
      ...findBrokenSqlRules(file, text),
      ...findLooseTexts(file, text),
      ...findLooseLinks(file, text),
      ...findRawTargets(file, text),
    ];
  });
  return [...broken, ...findPhysicalSides(root)];
}

/** Returns the TypeScript files below a folder, as paths from the root. */
export function listSourceFiles(root: string, folder: string): string[] {
  const path = join(root, folder);
  if (!existsSync(path)) return [];
  return readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name))
    .map((entry) => relative(root, join(entry.parentPath, entry.name)).replaceAll("\\", "/"))
    .filter((file) => !file.includes("node_modules/") && !file.includes("/.work/"));
}

function checkFile(file: string, text: string): string[] {
  const name = file.split("/").at(-1) ?? "";
  const lines = text.split("\n").length;
  return [
    ...(vagueNames.test(name) ? [`${file}: the name does not say what the file holds`] : []),
    ...(lines > maxLines ? [`${file}: ${lines} lines; split files of more than ${maxLines}`] : []),
  ];
}

function checkImports(file: string, text: string): string[] {
  return listImports(file, text).flatMap((specifier) => {
    const to = resolveImport(file, specifier);
    const broken = findBrokenRule({ from: file, to });
    return broken === null ? [] : [`${file} imports ${to}: ${broken}`];
  });
}

/**
 * Returns the path of our own import from the repository's root. Names of packages stay unchanged.
 */
function resolveImport(file: string, specifier: string): string {
  if (specifier.startsWith(".")) return join(dirname(file), specifier).replaceAll("\\", "/");
  if (specifier.startsWith("#test/")) return specifier.slice(1);
  return specifier.startsWith("#") ? `src/${specifier.slice(1)}` : specifier;
}

/** Returns every module that a file imports, including type-only and dynamic imports. */
export function listImports(file: string, text: string): string[] {
  const { module, errors } = parseSync(file, text);
  const first = errors[0];
  if (first !== undefined) throw new Error(`${file}: ${first.message}`);
  const dynamic = module.dynamicImports.map(
    ({ moduleRequest }) =>
      /^["'`]([^"'`$]+)["'`]$/.exec(text.slice(moduleRequest.start, moduleRequest.end))?.[1],
  );
  const reExports = module.staticExports.flatMap(({ entries }) =>
    entries.map((entry) => entry.moduleRequest?.value),
  );
  const all = [
    ...module.staticImports.map(({ moduleRequest }) => moduleRequest.value),
    ...reExports,
    ...dynamic,
  ];
  return [...new Set(all.filter((name) => name !== undefined))];
}
