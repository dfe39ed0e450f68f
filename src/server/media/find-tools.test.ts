import { rename, writeFile } from "node:fs/promises";
import path from "node:path";
import { beforeAll, expect, test } from "vitest";
import { checkTools, findTools } from "./find-tools.ts";
import { createProcessRunner, type ProcessRunner } from "./run/run-process.ts";
import { createSandbox } from "./run/sandbox/sandbox.ts";
import { makeFolder } from "#test/shared.ts";

let folder = "";
let runner: ProcessRunner;
beforeAll(async () => {
  folder = makeFolder("tools");
  runner = createProcessRunner(await createSandbox(folder));
});

/** Creates a program that only prints its version and the one of libavutil. */
async function fake(name: string, version: string, libavutil = 57): Promise<string> {
  const file = path.join(folder, name);
  const lines = [
    `${path.basename(name)} version ${version} Copyright`,
    `libavutil      ${libavutil}. 28.100 / ${libavutil}. 28.100`,
  ];
  const text = ["#!/bin/sh", ...lines.map((line) => `echo "${line}"`), ""].join("\n");
  // The program of an earlier test may still be running, and can't be overwritten then.
  await writeFile(`${file}.new`, text, { mode: 0o755 });
  await rename(`${file}.new`, file);
  return file;
}

test("uses the environment's paths, and fails if they don't work", async () => {
  const ffmpeg = await fake("ffmpeg", "4.1");
  const ffprobe = await fake("ffprobe", "4.1");
  const env = { FFMPEG_PATH: ffmpeg, FFPROBE_PATH: ffprobe };
  expect(await findTools(runner, env, folder)).toEqual({ ffmpeg, ffprobe });
  await expect(
    findTools(runner, { ...env, FFPROBE_PATH: path.join(folder, "none") }, folder),
  ).rejects.toThrow(/^FFPROBE_PATH: ".*none" isn't a working ffprobe. Use/);
  await expect(findTools(runner, { ...env, FFPROBE_PATH: ffmpeg }, folder)).rejects.toThrow(
    /^FFPROBE_PATH: ".*ffmpeg" isn't a working/,
  );
});

/** Returns a runner whose first `count` runs time out. */
function timingOut(count: number): ProcessRunner {
  let left = count;
  return {
    async run(request) {
      const result = await runner.run(request);
      left -= 1;
      return left < 0 ? result : { ...result, killed: "timeout", stdout: Buffer.alloc(0) };
    },
  };
}

test("uses a slow tool whose first attempts time out", async () => {
  const ffmpeg = await fake("ffmpeg", "6.0");
  const ffprobe = await fake("ffprobe", "6.0");
  const env = { FFMPEG_PATH: ffmpeg, FFPROBE_PATH: ffprobe };
  expect(await findTools(timingOut(2), env, folder)).toEqual({ ffmpeg, ffprobe });
  expect((await checkTools(timingOut(2), { ffmpeg, ffprobe }, folder)).version).toBe("6.0");
});

test("doesn't report a tool as broken if it never finishes", async () => {
  const ffmpeg = await fake("ffmpeg", "6.0");
  const env = { FFMPEG_PATH: ffmpeg, FFPROBE_PATH: await fake("ffprobe", "6.0") };
  await expect(findTools(timingOut(99), env, folder)).rejects.toThrow(
    /-version" didn't finish within 60 seconds\./,
  );
});

test("skips old versions on PATH, and accepts new ones", async () => {
  const ffprobe = await fake("ffprobe", "6.0");
  await fake("ffmpeg", "4.4.2-0ubuntu0.22.04.1");
  const env = { PATH: folder, FFPROBE_PATH: ffprobe };
  await expect(findTools(runner, env, folder)).rejects.toThrow(
    /^ffmpeg 5 or newer was not found \(.*4\.4\.2.*too old\)\. Install ffmpeg or set FFMPEG_PATH\.$/,
  );
  await fake("ffmpeg", "n7.1");
  expect((await findTools(runner, { PATH: folder }, folder)).ffmpeg).toBe(
    path.join(folder, "ffmpeg"),
  );
});

test.each([
  "git-2025-03-14-9a2fd2d",
  "v1.58",
  "N-71064-gd5e603ddc0-static",
  "2025-03-14-git-9a2fd2d-full_build",
])("decides by its libraries whether a development build is too old: %s", async (version) => {
  const env = { PATH: folder, FFPROBE_PATH: await fake("ffprobe", "6.0") };
  const ffmpeg = await fake("ffmpeg", version, 59);
  expect((await findTools(runner, env, folder)).ffmpeg).toBe(ffmpeg);
  await fake("ffmpeg", version, 56);
  await expect(findTools(runner, env, folder)).rejects.toThrow(`${version}: too old)`);
});

test.each([
  ["5.0.3-tessus", 57, { hasDownmix: false, refusesReservedColors: false }],
  ["n6.1", 58, { hasDownmix: true, refusesReservedColors: false }],
  ["7.0", 59, { hasDownmix: true, refusesReservedColors: true }],
])("knows the abilities of version %s", async (version, libavutil, abilities) => {
  const ffmpeg = await fake("ffmpeg", version, libavutil);
  expect(await checkTools(runner, { ffmpeg, ffprobe: "ffprobe" }, folder)).toMatchObject(abilities);
});

test("reports missing encoders of a tool", async () => {
  const ffmpeg = await fake("ffmpeg", "6.0");
  const report = await checkTools(runner, { ffmpeg, ffprobe: "ffprobe" }, folder);
  expect(report.missing).toContain("encoder libx264");
  expect(report.line).toMatch(
    /^ffmpeg 6\.0 at .* can't be used because it lacks: encoder libx264, /,
  );
  expect(report.line).toMatch(/\. Install a complete ffmpeg .*, or set FFMPEG_PATH to one\.$/);
  expect(report.line).not.toContain("\n");
});

test("accepts this machine's tools", async () => {
  const paths = await findTools(runner, process.env, folder);
  const report = await checkTools(runner, paths, folder);
  expect(report.missing).toEqual([]);
  expect(report.version).not.toBe("unknown");
});
