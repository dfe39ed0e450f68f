import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { encodeClip } from "#test/clip-cache.ts";
import {
  aac,
  faststart,
  h264,
  listSampleVideos,
  picture,
  plain,
  sampleVideos,
  tone,
} from "#test/sample-videos.ts";
import { corpusPath, corpusVideos, hasCorpusVideos } from "../corpus-videos.fixture.ts";
import { readMp4Index } from "./mp4-index.ts";

const exec = promisify(execFile);
const ffprobe = process.env["FFPROBE_PATH"] ?? "ffprobe";

let folder = "";
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "kinora-mp4-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** What ffprobe reads of the packets of a stream. */
async function probeTimes(file: string, index: number) {
  const { stdout } = await exec(
    ffprobe,
    [
      ...["-v", "error", "-select_streams", `${index}`, "-of", "csv=p=0"],
      ...["-show_entries", "packet=pts_time,dts_time,flags", file],
    ],
    { maxBuffer: 2 ** 26 },
  );
  const packets = stdout
    .trim()
    .split("\n")
    .map((line) => line.split(","));
  const timeOf = ([pts, dts]: string[]) => Number(pts === "N/A" ? dts : pts);
  return {
    all: packets.map(timeOf),
    keyframes: packets.filter(([, , flags]) => flags?.startsWith("K")).map(timeOf),
  };
}

const rounded = (times: readonly number[]) =>
  times.map((time) => Math.round(time * 1e4) / 1e4).toSorted((a, b) => a - b);

/** Where the index tells the times of the picture, they are those of a demuxer. */
async function compare(file: string): Promise<"same" | "left to a demuxer"> {
  const tracks = (await readMp4Index(file))?.tracks ?? [];
  const at = tracks.findIndex(({ kind }) => kind === "video");
  const times = tracks[at]?.readTimes() ?? null;
  if (times === null) return "left to a demuxer";
  const probed = await probeTimes(file, at);
  // An edit list may hide a tenth of a second at the end.
  expect(Math.abs(probed.all.length - times.all.length)).toBeLessThan(8);
  const known = probed.all.length;
  expect(rounded(times.all).slice(0, known)).toEqual(rounded(probed.all));
  expect(rounded(times.keyframes)).toEqual(rounded(probed.keyframes));
  return "same";
}

const clip = (name: string, options: string[]) =>
  encodeClip(name, [...picture("128x72", 3, 10), ...tone(3), ...h264, ...aac, ...options]);
const reordered = ["-bf", "2", "-preset", "medium", "-g", "10"];

describe.concurrent("times in the index are those of the packets", () => {
  test.each([
    ["plain.mp4", []],
    ["reordered.mp4", reordered],
    ["reordered.mov", [...reordered, "-movflags", "+faststart"]],
    ["without-edits.mp4", [...reordered, "-use_editlist", "0"]],
    ["variable.mp4", ["-vf", "select=not(mod(n\\,7)),settb=1/1000", "-fps_mode", "vfr"]],
  ])("%s", async (name, options) => {
    expect(await compare(await clip(name, options))).toBe("same");
  });

  test.each([
    ["late.mp4", ["-output_ts_offset", "2"]],
    ["fragmented.mp4", ["-movflags", "+frag_keyframe+empty_moov"]],
    ["signed.mp4", [...reordered, "-movflags", "+negative_cts_offsets"]],
  ])("%s is left to a demuxer, or the same", async (name, options) => {
    expect(["same", "left to a demuxer"]).toContain(await compare(await clip(name, options)));
  });

  test("samples", async () => {
    const samples = (await listSampleVideos()).map(({ make }) => make());
    for (const file of await Promise.all(samples)) {
      if (/\.(mp4|mov|m4v)$/.test(file)) await compare(file);
    }
    expect(await compare(await sampleVideos.rotated.make())).toBe("same");
    expect(await readMp4Index(await sampleVideos.truncated.make())).toBeNull();
    expect(await readMp4Index(await sampleVideos.fragmented.make())).toBeNull();
  });

  test.skipIf(!hasCorpusVideos)("corpus", async () => {
    const accepted = corpusVideos.filter(
      ({ file, expected }) => expected === "accept" && /\.(mp4|mov)$/.test(file),
    );
    const results: string[] = [];
    for (const { file } of accepted) results.push(await compare(corpusPath(file)));
    expect(results).toContain("same");
  });
});

test("sizes and ends of the tracks are read", async () => {
  const index = await readMp4Index(await faststart());
  expect(index?.durationS).toBeCloseTo(4, 0);
  expect(index?.tracks.map(({ kind }) => kind)).toEqual(["video", "audio"]);
  expect(index?.tracks[0]?.width).toBeGreaterThan(0);
  for (const track of index?.tracks ?? []) {
    expect(track.endS).toBeCloseTo(4, 0);
    expect(track.readTimes()?.endS).toBeCloseTo(track.endS, 0);
  }
});

test("a damaged index fails in no other way than to be left to a demuxer", async () => {
  const bytes = await readFile(await plain());
  const from = bytes.indexOf("moov");
  const file = path.join(folder, "damaged.mp4");
  // Every byte of lengths, counts and versions is wrong once.
  for (let at = from - 4; at < Math.min(bytes.length, from + 1400); at += 1) {
    const damaged = Buffer.from(bytes);
    damaged[at] = 0xff;
    await writeFile(file, damaged);
    const index = await readMp4Index(file);
    for (const track of index?.tracks ?? []) track.readTimes();
  }
  await writeFile(file, bytes.subarray(0, from + 300));
  expect(await readMp4Index(file)).toBeNull();
  await writeFile(file, "no boxes at all");
  expect(await readMp4Index(file)).toBeNull();
});
