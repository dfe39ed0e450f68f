import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { readProcessArguments } from "#server/lib/command-line.mjs";
import { z } from "zod";

const { flags } = readProcessArguments({
  name: "npm run release-migrations",
  summary: "Records the hashes of all migrations as part of a release.",
  options: { check: { help: "only compare" } },
  examples: ["npm run release-migrations"],
});
const isCheck = flags.has("check");

/**
 * Writes the hashes of all migrations into released-migrations.json, which is part of a release.
 * With `--check` it compares them. Databases have applied released migrations, so neither these
 * files nor their hashes may change, not even together.
 */
const root = fileURLToPath(new URL("../../", import.meta.url));
const manifest = "src/server/db/released-migrations.json";
const folder = `${root}src/server/db/migrations`;
const formerFolder = `${folder}/before-1.0`;

const hashes = z.record(z.string(), z.string());
type Hashes = z.infer<typeof hashes>;
const parse = (text: string): Hashes => hashes.parse(JSON.parse(text));
const namesIn = (place: string) =>
  readdirSync(place)
    .filter((file) => file.endsWith(".ts"))
    .map((file) => file.replace(/\.ts$/, ""));
const files = new Map(
  [formerFolder, folder].flatMap((place) =>
    namesIn(place).map((name) => [name, `${place}/${name}.ts`] as const),
  ),
);
/** Returns the hash of a migration's file, or null if it is missing. */
function hashOf(name: string): string | null {
  const file = files.get(name);
  return file === undefined ? null : createHash("sha256").update(readFileSync(file)).digest("hex");
}

const git = (...args: string[]) =>
  execFileSync("git", ["-C", root, ...args], {
    encoding: "utf8",
    stdio: ["ignore", "pipe", "ignore"],
  });

/** Returns the first recorded hash of each migration; empty without git. */
function readFirstHashes(): Hashes {
  if (!existsSync(`${root}.git`)) return {};
  const commits = git("log", "--reverse", "--diff-filter=AM", "--format=%H", "--", manifest);
  const versions = commits.split("\n").filter((commit) => commit !== "");
  return versions.reduce<Hashes>(
    (first, commit) => ({ ...parse(git("show", `${commit}:${manifest}`)), ...first }),
    {},
  );
}

const released = parse(readFileSync(root + manifest, "utf8"));
if (isCheck) {
  const first = readFirstHashes();
  for (const name of new Set([...Object.keys(first), ...Object.keys(released)])) {
    const wanted = first[name] ?? released[name];
    const isUnchanged = released[name] === wanted && hashOf(name) === wanted;
    if (isUnchanged) continue;
    console.log(`The released migration ${name} has changed. Restore it and add another one.`);
    process.exitCode = 1;
  }
} else {
  const entries = [...files.keys()]
    .toSorted()
    .map((name) => [name, released[name] ?? hashOf(name)]);
  writeFileSync(root + manifest, `${JSON.stringify(Object.fromEntries(entries), null, 2)}\n`);
}
