import { mkdir } from "node:fs/promises";
import path from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { encodeClip } from "#test/clip-cache.ts";
import { setEdits } from "#test/mp4-edits.ts";
import { aac, h264, picture, tone } from "#test/sample-videos.ts";
import { createTestMedia, type TestMedia } from "../media.fixture.ts";
import { countedClip, readSeconds } from "./edited.fixture.ts";
import { makePlayable } from "./playable.step.ts";
import { scanSource } from "./process-video.ts";

let at: TestMedia;
beforeAll(async () => {
  at = await createTestMedia();
});
afterAll(() => at.remove());

let folders = 0;
async function makeFolder(): Promise<string> {
  folders += 1;
  const folder = path.join(at.folder, `cut-${folders}`);
  await mkdir(folder);
  return folder;
}

async function cut(sourcePath: string) {
  const facts = await at.media.probe(sourcePath);
  return at.media.cutAudio({ sourcePath, facts, workDir: await makeFolder() });
}

/** Returns a hash of the encoded sound of a file. */
async function hashOf(file: string): Promise<string> {
  const { stdout } = await at.media.pipeline.tools.ffprobe({
    name: "packets",
    args: [
      ...["-show_packets", "-show_data_hash", "md5", "-select_streams", "a:0"],
      ...["-show_entries", "packet=data_hash", "-of", "csv", "-f", "mov", `file:${file}`],
    ],
    cwd: at.folder,
    inputs: [file],
    limits: { ...limits },
  });
  return stdout.toString();
}
const limits = { addressSpaceBytes: 2e9, rssBytes: 1e9, cpuS: 30, wallS: 60, outputBytes: 1e6 };

it("copies the sound without encoding it again", async () => {
  const source = await encodeClip("cut.mp4", [
    ...[...picture("64x36", 1, 10), ...tone(1), ...h264, ...aac, "-shortest"],
  ]);
  const made = await cut(source);
  expect(made).toMatchObject({ role: "audio", name: "audio.m4a" });
  const packets = await hashOf(made?.path ?? "");
  expect(packets.length).toBeGreaterThan(100);
  expect(packets).toBe(await hashOf(source));
});

it("makes no file of a video without sound", async () => {
  const source = await encodeClip("cut-silent.mp4", [...picture("64x36", 1, 10), ...h264]);
  expect(await cut(source)).toBeNull();
});

it("plays the edited timeline of the source", async () => {
  const sourcePath = await setEdits("cut-edited.mov", await countedClip(), () => [
    { fromS: 2, lengthS: 1, rate: 1 },
  ]);
  const facts = await at.media.probe(sourcePath);
  const { pipeline } = at.media;
  const job = { sourcePath, facts, workDir: await makeFolder(), signal: undefined };
  const source = await scanSource(pipeline, job);
  const playable = await makePlayable(pipeline, source, async () => 0);
  const made = await cut(playable.files[0]?.path ?? "");
  const seconds = await readSeconds(at.media, made?.path ?? "");
  expect(seconds).toEqual([2, 2, 2, 2, 2]);
});
