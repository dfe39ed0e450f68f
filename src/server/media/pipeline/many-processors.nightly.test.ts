import { spawnSync } from "node:child_process";
import { writeFile } from "node:fs/promises";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { encodeClip } from "#test/clip-cache.ts";
import { aac, picture, tone } from "#test/sample-videos.ts";
import { probeLimits } from "../facts/process-limits.ts";
import { createTestMedia, type TestMedia } from "../media.fixture.ts";
import { probeFile } from "../probe/probe.ts";
import { createMediaTools } from "../run/media-tools.ts";
import { createProcessRunner, type ProcessRunner } from "../run/run-process.ts";
import { createSandbox } from "../run/sandbox/sandbox.ts";
import { expectCompleteRun, runProcess } from "./process-run.fixture.ts";

const compiler = ["cc", "gcc", "clang"].find((name) => spawnSync(name, ["--version"]).status === 0);

const processors = 64;
/** Replaces the system call by which programs count the processors they may run on. */
const library = `
#define _GNU_SOURCE
#include <sched.h>
#include <string.h>

int sched_getaffinity(pid_t pid, size_t size, cpu_set_t *set) {
  (void)pid;
  memset(set, 0, size);
  for (size_t i = 0; i < ${processors}; i += 1) CPU_SET_S(i, size, set);
  return 0;
}
`;

let at: TestMedia;
beforeAll(async () => {
  at = await createTestMedia();
});
afterAll(() => at.remove());

/** Returns a runner whose programs find many processors. */
async function createLargeMachine(): Promise<ProcessRunner> {
  const source = path.join(at.folder, "processors.c");
  const preload = path.join(at.folder, "processors.so");
  await writeFile(source, library);
  const built = spawnSync(compiler ?? "", ["-shared", "-fPIC", "-o", preload, source]);
  expect(built.stderr.toString()).toBe("");
  // The limits alone, because isolation would hide the library.
  const sandbox = await createSandbox(at.folder, ["none"], { lowersPriority: false });
  const runner = createProcessRunner(sandbox);
  return {
    run: ({ program, args, ...request }) =>
      runner.run({
        ...request,
        program: "env",
        args: [`LD_PRELOAD=${preload}`, program, ...args],
      }),
  };
}

test.skipIf(compiler === undefined)(
  "finishes 1080p with many tracks on many processors (needs a C compiler)",
  async () => {
    const runner = await createLargeMachine();
    const { emptyDir, logger, report } = at.media.pipeline;
    const counted = { program: "nproc", args: [], cwd: emptyDir, limits: probeLimits };
    expect((await runner.run(counted)).stdout.toString().trim()).toBe(String(processors));

    const surround = Array.from({ length: 8 }, (_, i) => `[1:a]aformat=channel_layouts=5.1[a${i}]`);
    const source = await encodeClip("many-tracks.mkv", [
      ...[...picture("1920x1080", 6, 10), ...tone(6), "-filter_complex", surround.join(";")],
      ...["-map", "0:v", ...surround.flatMap((_, i) => ["-map", `[a${i}]`])],
      ...["-c:v", "mpeg4", "-q:v", "5", ...aac, "-b:a", "64k"],
    ]);
    const tools = createMediaTools({
      paths: report.paths,
      runner,
      logger,
      colorTables: { listIn: async () => [] },
    });
    const facts = await probeFile({ tools, cwd: emptyDir, maxDurationS: 60 }, source);
    const run = await runProcess(
      at,
      source,
      { facts },
      { ...at.media.pipeline, tools, threads: 8 },
    );
    await expectCompleteRun(at, run);
    expect(run.skipped).toEqual([]);
    expect(run.sounds).toHaveLength(16);
  },
);
