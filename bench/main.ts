import {
  asksForHelp,
  readProcessArguments,
  UsageError,
  type CommandSyntax,
  type Given,
} from "#server/lib/command-line.mjs";
import { OperatorError } from "#server/lib/app-error.ts";
import { mkdir, readdir, writeFile } from "node:fs/promises";
import { arch, cpus, platform } from "node:os";
import { fileURLToPath } from "node:url";
import { type BenchTable, toMarkdown } from "./support/bench-table.ts";

/** Every file in this folder is a bench. Shared code is in `support/`. */
const here = fileURLToPath(new URL(".", import.meta.url));

interface BenchModule {
  args?: CommandSyntax["args"];
  options?: CommandSyntax["options"];
  run(given: Given): Promise<BenchTable>;
}

const isBench = (module: unknown): module is BenchModule =>
  typeof module === "object" && module !== null && typeof Reflect.get(module, "run") === "function";

async function keep(name: string, table: BenchTable): Promise<void> {
  const folder = `${here}results`;
  await mkdir(folder, { recursive: true });
  const cpu = cpus()[0]?.model ?? "unknown processor";
  const machine = `${cpus().length} x ${cpu}, ${platform()} ${arch()}, Node ${process.version}`;
  const notes = [...(table.notes ?? []), `Machine: ${machine}.`];
  await writeFile(`${folder}/${name}.md`, toMarkdown({ ...table, notes }));
}

/** `npm run bench -- NAME [arguments]`. Without a name, lists the benches. */
async function main(): Promise<void> {
  const [name = "", ...args] = process.argv.slice(2);
  const files = await readdir(here);
  const names = files
    .filter((file) => file.endsWith(".ts") && file !== "main.ts")
    .map((file) => file.replace(/\.ts$/, ""));
  if (!names.includes(name)) {
    const isList = name === "" || asksForHelp([name]);
    const list = `Benches: ${names.toSorted().join(", ")}. Add --help to one for its options.`;
    if (!isList) throw new UsageError(`Unknown bench "${name}". ${list}`);
    process.stdout.write(`npm run bench -- NAME\n${list}\n`);
    return;
  }
  const module: unknown = await import(`./${name}.ts`);
  if (!isBench(module)) throw new Error(`bench/${name}.ts exports no run()`);
  const command = `npm run bench -- ${name}`;
  const given = readProcessArguments(
    {
      name: command,
      summary: `Runs bench/${name}.ts and writes bench/results/${name}.md.`,
      args: module.args ?? [],
      options: module.options ?? {},
      examples: [command],
    },
    args,
  );
  const table = await module.run(given);
  process.stdout.write(`\n${toMarkdown(table)}\n`);
  if (table.isPartial !== true) await keep(name, table);
}

await main().catch((error: unknown) => {
  if (!(error instanceof UsageError) && !(error instanceof OperatorError)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = error instanceof UsageError ? 2 : 1;
});
