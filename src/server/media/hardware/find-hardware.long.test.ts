import { chmod, mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { createLogger } from "#server/lib/logger.ts";
import { encodeVideo } from "../plan/encode-options.ts";
import { smallJobLimits } from "../plan/process-limits.ts";
import { createMediaTools } from "../run/media-tools.ts";
import { createProcessRunner, type ProcessRunner } from "../run/run-process.ts";
import { createSandbox } from "../run/sandbox/sandbox.ts";
import { findHardware } from "./find-hardware.ts";

let folder = "";
let runner: ProcessRunner;
let real = "";
const logger = createLogger("silent");
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "kinora-hardware-"));
  // The fake starts the real one, wherever that is.
  runner = createProcessRunner(await createSandbox(folder, ["none"]));
  real = inject("toolReport")?.paths.ffmpeg ?? process.env["FFMPEG_PATH"] ?? "ffmpeg";
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/**
 * An ffmpeg that lists NVENC. Its trial and its other runs with that end with these codes; everything else
 * is done by the real one. It notes its arguments.
 */
async function fakeFfmpeg(exit: { trial: number; run: number }): Promise<string> {
  const file = path.join(await mkdtemp(path.join(folder, "fake-")), "ffmpeg");
  const script = `#!/bin/sh
case "$*" in
*-encoders*) echo " V....D h264_nvenc           NVIDIA NVENC H.264 encoder"; exit 0;;
*h264_nvenc*testsrc2*|*testsrc2*h264_nvenc*) code=${exit.trial};;
*h264_nvenc*) code=${exit.run};;
*) exec "${real}" "$@";;
esac
echo "$*" >> "${file}.runs"
[ $code = 0 ] || echo "No capable devices found" >&2
exit $code
`;
  await writeFile(file, script);
  await chmod(file, 0o755);
  return file;
}

const find = (ffmpeg: string, wanted: "nvenc" | "vaapi" | "auto" = "nvenc") =>
  findHardware({ ffmpeg, runner, cwd: folder, logger }, wanted);

/** Encodes a moment of black. @returns the bytes of the file. */
async function encode(ffmpeg: string, hardware: Awaited<ReturnType<typeof find>>): Promise<number> {
  const target = path.join(await mkdtemp(path.join(folder, "out-")), "out.mp4");
  const tools = createMediaTools({
    paths: { ffmpeg, ffprobe: "ffprobe" },
    runner,
    logger,
    hardware,
  });
  const rung = { shortSide: 90, width: 160, height: 90, maxrateKbps: 150, crf: 23 };
  await tools.ffmpeg({
    name: "quick",
    args: [
      ...["-f", "lavfi", "-i", "color=s=160x90:r=25:d=0.2"],
      ...["-filter_complex", "[0:v]format=yuv420p[v]", "-map", "[v]"],
      ...encodeVideo(rung, { num: 25, den: 1 }, 0, 1),
      ...["-f", "mp4", target],
    ],
    cwd: folder,
    outputDir: path.dirname(target),
    limits: smallJobLimits,
    isEncode: true,
  });
  return stat(target).then(
    ({ size }) => size,
    () => 0,
  );
}

test("an encoder that ffmpeg lists and that fails its trial is not used", async () => {
  const ffmpeg = await fakeFfmpeg({ trial: 1, run: 0 });
  for (const wanted of ["nvenc", "auto"] as const) {
    const hardware = await find(ffmpeg, wanted);
    expect(hardware.description).toBe(
      "hardware encoder: none, h264_nvenc failed its trial (No capable devices found); processors encode",
    );
    expect(hardware.isWorking()).toBe(false);
    expect(await encode(ffmpeg, hardware)).toBeGreaterThan(0);
  }
});

test("an encoder that ffmpeg does not know is named", async () => {
  const ffmpeg = await fakeFfmpeg({ trial: 0, run: 0 });
  expect((await find(ffmpeg, "vaapi")).description).toBe(
    "hardware encoder: none, this ffmpeg has no h264_vaapi; processors encode",
  );
});

test("an encoder that works takes the place of libx264", async () => {
  const ffmpeg = await fakeFfmpeg({ trial: 0, run: 0 });
  const hardware = await find(ffmpeg, "auto");
  expect(hardware.description).toBe("hardware encoder: nvenc (h264_nvenc)");
  await encode(ffmpeg, hardware);
  const runs = (await readFile(`${ffmpeg}.runs`, "utf8")).trim().split("\n");
  expect(runs).toHaveLength(2);
  expect(runs[1]).toContain("-c:v:0 h264_nvenc");
  expect(runs[1]).not.toContain("libx264");
});

test("where a run fails processors encode, after three in a row all that follows", async () => {
  const ffmpeg = await fakeFfmpeg({ trial: 0, run: 1 });
  const hardware = await find(ffmpeg);
  for (const isLeft of [true, true, false, false]) {
    expect(await encode(ffmpeg, hardware)).toBeGreaterThan(0);
    expect(hardware.isWorking()).toBe(isLeft);
  }
  // The trial and the three that failed.
  expect((await readFile(`${ffmpeg}.runs`, "utf8")).trim().split("\n")).toHaveLength(4);
});
