import { readdir, stat } from "node:fs/promises";
import path from "node:path";
import { createProcessRunner } from "../run-process.ts";
import { createSandbox, type SandboxLevel } from "./sandbox.ts";

/**
 * Runs hostile programs in a sandbox and prints what they reached as one line of JSON:
 * `hostile-run.fixture.ts LEVEL FOLDER`. It is a separate process, so that another user can run it.
 * The folder contains `attack.mjs` and its input, `attack.json`.
 */
export interface HostileReport {
  /** Null if this machine doesn't allow the level. */
  description: string | null;
  attack?: unknown;
  forks?: number;
  forkError?: string;
  bombKill?: string | null;
  largestFile?: number;
  diskKill?: string | null;
}

const [level, folder = ""] = process.argv.slice(2);
const levels: SandboxLevel[] = ["bwrap", "unshare", "none"];

const limits = {
  addressSpaceBytes: 2 ** 45,
  rssBytes: 2 ** 40,
  cpuS: 60,
  wallS: 60,
  outputBytes: 2_000_000,
};

async function runAttacks(): Promise<HostileReport> {
  const sandbox = await createSandbox(
    folder,
    levels.filter((each) => each === level),
  ).catch(() => null);
  if (sandbox === null) return { description: null };
  const runner = createProcessRunner(sandbox);
  const outputDir = path.join(folder, "output");
  const at = { cwd: outputDir, outputDir, limits, isUrgent: true };

  const script = path.join(folder, "attack.mjs");
  const plan = path.join(folder, "attack.json");
  const attacked = await runner.run({
    ...at,
    program: process.execPath,
    args: [script, plan],
    inputs: [script, plan],
  });
  const text = attacked.stdout.toString();
  if (!text.startsWith("{")) throw new Error(`the attack did not run: ${attacked.stderr}`);

  const attack: unknown = JSON.parse(text);

  const bomb = await runner.run({
    ...at,
    program: "sh",
    args: ["-c", "while :; do sleep 97.5 & echo forked; done"],
  });

  const fill = await runner.run({
    ...at,
    program: "sh",
    args: [
      "-c",
      "head -c 90000000 /dev/zero >large; while :; do i=$((i+1)); head -c 1000000 /dev/zero >f$i; sleep 0.05; done",
    ],
  });
  const sizes = (await readdir(outputDir)).map(
    async (name) => (await stat(path.join(outputDir, name))).size,
  );
  return {
    description: sandbox.description,
    attack,
    forks: bomb.stdout.toString().split("forked").length - 1,
    forkError: bomb.stderr,
    bombKill: bomb.killed,
    largestFile: Math.max(...(await Promise.all(sizes))),
    diskKill: fill.killed,
  };
}

process.stdout.write(`${JSON.stringify(await runAttacks())}\n`);
