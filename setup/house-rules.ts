import { readFileSync, readdirSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { parseSync } from "vite";
import { findBrokenRule } from "./import-rules.ts";

const vagueNames = /^(index|utils?|types?|helpers?|common|misc)\.tsx?$/;
const longestFileLines = 500;

/** All that breaks the rules of this house below `root`, one line each, sorted by file. */
export function findBrokenHouseRules(root: string): string[] {
  const files = readdirSync(join(root, "src"), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name))
    .map((entry) => relative(root, join(entry.parentPath, entry.name)))
    .toSorted();
  return files.flatMap((file) => {
    const text = readFileSync(join(root, file), "utf8");
    return [...checkFile(file, text), ...checkImports(file, text)];
  });
}

function checkFile(file: string, text: string): string[] {
  const name = file.split("/").at(-1) ?? "";
  const lines = text.split("\n").length;
  return [
    ...(vagueNames.test(name) ? [`${file}: the name says nothing about what is in it`] : []),
    ...(lines > longestFileLines ? [`${file}: ${lines} lines are two files`] : []),
  ];
}

function checkImports(file: string, text: string): string[] {
  return listImports(file, text).flatMap((specifier) => {
    const to = specifier.startsWith(".")
      ? join(dirname(file), specifier).replaceAll("\\", "/")
      : specifier;
    const broken = findBrokenRule({ from: file, to });
    return broken === null ? [] : [`${file} imports ${to}: ${broken}`];
  });
}

/** Everything a file imports, types and `import("...")` included. */
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
