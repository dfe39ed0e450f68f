import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { z } from "zod";

const lockShape = z.object({
  packages: z.record(
    z.string(),
    z.object({
      resolved: z.string().optional(),
      integrity: z.string().optional(),
      optionalDependencies: z.record(z.string(), z.string()).optional(),
    }),
  ),
});
const read = (path: string): unknown =>
  JSON.parse(readFileSync(new URL(path, import.meta.url), "utf8"));

const { packages } = lockShape.parse(read("../../package-lock.json"));

/** Returns whether npm would find the package `name`, as required by the one at `from`. */
function isListed(from: string, name: string): boolean {
  const parts = from.split("/node_modules/");
  const bases = parts.map((_, index) =>
    parts.slice(0, parts.length - index).join("/node_modules/"),
  );
  return [...bases, ""].some((base) =>
    Object.hasOwn(packages, base === "" ? `node_modules/${name}` : `${base}/node_modules/${name}`),
  );
}

// If a lock file was created with a registry that lacks some packages, "npm ci" refuses it
// everywhere else.
test("locks the packages of every platform", () => {
  const missing = Object.entries(packages).flatMap(([from, { optionalDependencies = {} }]) =>
    Object.keys(optionalDependencies).flatMap((name) =>
      isListed(from, name) ? [] : [`${name} (of ${from})`],
    ),
  );
  expect(missing).toEqual([]);
});

test("identifies every package by content, without a particular registry", () => {
  const entries = Object.entries(packages).filter(([path]) => path !== "");
  const unsure = entries.filter(([, { integrity }]) => integrity === undefined);
  const tied = entries.filter(([, { resolved }]) => resolved !== undefined);
  expect([...unsure, ...tied].map(([path]) => path)).toEqual([]);
});

test("pins exact versions", () => {
  const { dependencies, devDependencies, optionalDependencies } = z
    .object({
      dependencies: z.record(z.string(), z.string()),
      devDependencies: z.record(z.string(), z.string()),
      optionalDependencies: z.record(z.string(), z.string()),
    })
    .parse(read("../../package.json"));
  const all = Object.entries({ ...dependencies, ...devDependencies, ...optionalDependencies });
  expect(all.filter(([, version]) => !/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(version))).toEqual([]);
});
