import { chmod, chown, mkdir, mkdtemp, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { createProcessRunner } from "../run-process.ts";
import { mediaUserId } from "./sandbox-command.ts";
import { createSandbox } from "./sandbox.ts";
import { repeatTrial } from "./trial.ts";

const isRoot = process.getuid?.() === 0;
const ownPath = process.env["PATH"] ?? "";

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "kinora-slow-"));
  await chmod(folder, 0o755);
});
afterEach(() => {
  process.env["PATH"] = ownPath;
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** Installs a bwrap in front of the real one. It hangs the first `count` times it starts. */
async function slowBwrap(count: number): Promise<void> {
  const at = await mkdtemp(path.join(folder, "bin-"));
  await chmod(at, 0o755);
  const script = `#!/bin/sh
echo start >>'${at}/starts'
[ "$(wc -l <'${at}/starts')" -gt ${count} ] || exec sleep 30
PATH='${ownPath}' exec bwrap "$@"
`;
  await writeFile(path.join(at, "bwrap"), script, { mode: 0o755 });
  process.env["PATH"] = `${at}:${ownPath}`;
}

test("keeps the strongest sandbox after a slow first trial", async (context) => {
  const usual = await createSandbox(folder);
  if (usual.level !== "bwrap") return context.skip("this machine does not allow bwrap");
  await slowBwrap(1);
  const sandbox = await createSandbox(folder, undefined, { limitsMs: [500, 60_000] });
  expect(sandbox.description).toBe(usual.description);
  expect(sandbox.weakness).toBe(usual.weakness);
});

test("fails if every trial is too slow", async () => {
  await slowBwrap(100);
  const created = createSandbox(folder, undefined, { limitsMs: [200, 400] });
  await expect(created).rejects.toThrow(/too busy to test the sandbox/);
});

test("repeats an inconclusive trial with the next limit", async () => {
  const limits: number[] = [];
  const found = await repeatTrial("it", async (limitMs) => {
    limits.push(limitMs);
    return limits.length < 3 ? null : "done";
  });
  expect(found).toBe("done");
  expect(limits).toEqual([10_000, 30_000, 90_000]);
});

test.runIf(isRoot)(
  "reads sources and work folders that belonged to another sandbox",
  async (context) => {
    const sandbox = await createSandbox(folder, ["bwrap", "unshare", "none"], {
      identities: ["map"],
    });
    if (sandbox.level === "none") return context.skip("this machine allows no user namespace");
    const input = path.join(folder, "source");
    const outputDir = path.join(folder, "work");
    await writeFile(input, "bytes", { mode: 0o600 });
    await mkdir(outputDir, { mode: 0o700 });
    await chown(input, mediaUserId, mediaUserId);
    await chown(outputDir, mediaUserId, mediaUserId);
    const result = await createProcessRunner(sandbox).run({
      program: "sh",
      args: ["-c", `cat '${input}' >'${outputDir}/copy'`],
      cwd: outputDir,
      inputs: [input],
      outputDir,
      limits: {
        addressSpaceBytes: 2 ** 32,
        rssBytes: 2 ** 30,
        cpuS: 20,
        wallS: 60,
        outputBytes: 1e6,
      },
    });
    expect(result).toMatchObject({ exitCode: 0, stderr: "" });
    expect((await stat(path.join(outputDir, "copy"))).size).toBe(5);
  },
);
