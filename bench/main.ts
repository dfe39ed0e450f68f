import { OperatorError } from "#server/lib/operator-error.ts";
import { mkdir, readdir, writeFile } from "node:fs/promises";
import { arch, cpus, platform } from "node:os";
import { fileURLToPath } from "node:url";
import { type BenchTable, toMarkdown } from "./support/bench-table.ts";

/** Every file in this folder is a bench. Shared code is in `support/`. */
const here = fileURLToPath(new URL(".", import.meta.url));

interface BenchModule {
  run(args: string[]): Promise<BenchTable>;
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
  const [name, ...args] = process.argv.slice(2);
  const files = await readdir(here);
  const names = files.filter((file) => file.endsWith(".ts") && file !== "main.ts");
  if (name === undefined || !names.includes(`${name}.ts`)) {
    const list = names.map((file) => file.replace(/\.ts$/, "")).toSorted();
    process.stdout.write(`npm run bench -- NAME\nNames: ${list.join(", ")}\n`);
    process.exitCode = name === undefined ? 0 : 1;
    return;
  }
  const module: unknown = await import(`./${name}.ts`);
  if (!isBench(module)) throw new Error(`bench/${name}.ts exports no run()`);
  const table = await module.run(args);
  process.stdout.write(`\n${toMarkdown(table)}\n`);
  if (table.isPartial !== true) await keep(name, table);
}

await main().catch((error: unknown) => {
  const isUsage =
    error instanceof Error && "code" in error && String(error.code).startsWith("ERR_PARSE_ARGS");
  if (!isUsage && !(error instanceof OperatorError)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
});
