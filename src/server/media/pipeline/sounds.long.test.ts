import { readFile } from "node:fs/promises";
import path from "node:path";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { encodeClip } from "#test/clip-cache.ts";
import { h264, picture, severalSounds, tone } from "#test/sample-videos.ts";
import { smallJobLimits } from "../facts/process-limits.ts";
import { createTestMedia, type TestMedia } from "../media.fixture.ts";
import { correlateSound, expectCompleteRun, runProcess } from "./process-run.fixture.ts";
import { readSound } from "./read-streams.fixture.ts";

let at: TestMedia;
beforeAll(async () => {
  at = await createTestMedia();
});
afterAll(() => at.remove());

/** Returns the codec and profile of each audio track of a file. */
async function readAudio(file: string): Promise<string> {
  const { tools, emptyDir } = at.media.pipeline;
  const { stdout } = await tools.ffprobe({
    name: "read audio",
    args: [
      ...["-select_streams", "a", "-show_entries", "stream=codec_name,profile"],
      ...["-of", "csv=p=0", `file:${file}`],
    ],
    cwd: emptyDir,
    inputs: [file],
    limits: smallJobLimits,
  });
  return stdout.toString().trim();
}

test("encodes tracks that browsers can't play, whichever is the default", async () => {
  const codecs = ["ac3", "aac", "flac", "mp2"];
  const source = await encodeClip("foreign-sounds.mkv", [
    ...picture("64x36", 2, 10),
    ...codecs.flatMap((_, i) => tone(2, 300 + 400 * i)),
    ...["-map", "0:v", ...codecs.flatMap((_, i) => ["-map", `${i + 1}:a`]), ...h264],
    ...codecs.flatMap((codec, i) => [`-c:a:${i}`, codec]),
    ...["-disposition:a:0", "0", "-disposition:a:2", "default"],
  ]);
  const run = await runProcess(at, source, { done: new Set(["captions", "pictures"]) });
  expect(run.result.problems).toEqual([]);
  expect(run.sounds).toHaveLength(codecs.length);
  const trackOf = (i: number) =>
    encodeClip(`foreign-${i}.mka`, ["-i", source, "-map", `0:a:${i}`, "-c", "copy"]);
  const folder = path.dirname(run.one("hls_master").path);
  const heard: [file: string, track: number][] = [
    // The first playable file has the default track alone.
    [run.one("progressive").path, 2],
    ...[2, 0, 1, 3].map((track, i): [string, number] => [
      path.join(folder, i === 0 ? "audio.mp4" : `audio-${i + 1}.mp4`),
      track,
    ]),
  ];
  for (const [file, track] of heard) {
    expect([file, await readAudio(file)]).toEqual([file, "aac,LC"]);
    expect(await correlateSound(at, await trackOf(track), file)).toBeGreaterThan(0.9);
  }
});

/** Returns a recording of three programmes, in stereo, 5.1 and stereo. Its sound starts late. */
async function changingChannels(extension = "mkv"): Promise<string> {
  const programmes = await Promise.all(
    [400, 800, 1200].map((hz, i) =>
      encodeClip(`programme-${i}.ac3`, [
        ...tone(3, hz),
        ...["-af", `aformat=channel_layouts=${i === 1 ? "5.1" : "stereo"}`, "-c:a", "ac3"],
      ]),
    ),
  );
  const video = await encodeClip("silent.mkv", [...picture("64x36", 10, 10), ...h264]);
  return encodeClip(`changing-channels.${extension}`, [
    ...["-i", video, "-itsoffset", "0.4", "-i", `concat:${programmes.join("|")}`],
    ...["-map", "0:v", "-map", "1:a", "-c", "copy"],
  ]);
}

/** Returns the frequencies in Hz that are heard at these times of a file. */
async function hearAt(file: string, timesS: number[]): Promise<number[]> {
  const rate = 8000;
  const samples = await readSound(at.media, file, rate);
  return timesS.map((timeS) => {
    const second = samples.subarray((timeS - 0.25) * rate, (timeS + 0.25) * rate);
    const rising = second.filter((sample, i) => sample >= 0 && (second[i - 1] ?? 0) < 0).length;
    return Math.round(rising / 5) * 10;
  });
}

test.each(["mkv", "mp4"])("keeps the place of sound whose channels change in %s", async (kind) => {
  const source = await changingChannels(kind);
  const run = await runProcess(at, source, { done: new Set(["captions", "pictures"]) });
  expect(run.result.problems).toEqual([]);
  const sound = path.join(path.dirname(run.one("hls_master").path), "audio.mp4");
  for (const file of [sound, run.one("progressive").path]) {
    expect(await hearAt(file, [1, 2.5, 4, 5.5, 7, 8.5])).toEqual([400, 400, 800, 800, 1200, 1200]);
  }
  const cut = await runProcess(at, source, {
    done: new Set(["captions", "pictures", "ladder", "extras"]),
    keptParts: [
      { startS: 2, endS: 4 },
      { startS: 5, endS: 9 },
    ],
  });
  expect(await hearAt(cut.one("progressive").path, [1, 1.7, 3, 4, 5])).toEqual([
    ...[400, 800, 800, 1200, 1200],
  ]);
});

test("doesn't read the sound for a fingerprint", async () => {
  const sourcePath = await changingChannels();
  const run = vi.spyOn(at.media.pipeline.tools, "ffmpeg");
  const facts = await at.media.probe(sourcePath);
  await at.media.fingerprint({ sourcePath, facts, workDir: at.folder });
  const names = run.mock.calls.map(([{ name }]) => name);
  run.mockRestore();
  expect(names).not.toEqual([]);
  expect(names).not.toContain("sound changes");
});

test("plays the first two of channels that can't be mixed", async () => {
  const wave = "0.1*sin(2764*t)";
  const sound = (layout: string) => [
    ...["-f", "lavfi", "-i", `aevalsrc=${wave}|${wave}:d=2:s=48000:c=${layout}`],
  ];
  const source = await encodeClip("rear-sound.mov", [
    ...[...picture("64x36", 2, 10), ...sound("BL+BR"), ...h264, "-c:a", "pcm_s16le"],
  ]);
  const front = await encodeClip("front-sound.mka", [...sound("stereo"), "-c:a", "pcm_s16le"]);
  const run = await runProcess(at, source, { done: new Set(["captions", "pictures"]) });
  expect(run.result.problems).toEqual([]);
  expect(run.loudness).not.toBeNull();
  for (const file of [run.one("progressive").path, run.one("progressive_small").path]) {
    expect(await correlateSound(at, front, file)).toBeGreaterThan(0.9);
  }
});

test("plays float sound with a sample that isn't a number", async () => {
  const wave = "if(eq(n\\,48000)\\,0/0\\,0.1*sin(2764*t))";
  const source = await encodeClip("not-a-number.mkv", [
    ...[...picture("64x36", 2, 10), "-f", "lavfi", "-i", `aevalsrc=${wave}|${wave}:d=2:s=48000`],
    ...[...h264, "-c:a", "pcm_f32le"],
  ]);
  const clean = await encodeClip("number.mka", [
    ...["-f", "lavfi", "-i", "aevalsrc=0.1*sin(2764*t):d=2:s=48000", "-c:a", "pcm_s16le"],
  ]);
  const run = await runProcess(at, source, { done: new Set(["captions", "pictures"]) });
  expect(run.result.problems).toEqual([]);
  const sound = path.join(path.dirname(run.one("hls_master").path), "audio.mp4");
  for (const file of [run.one("progressive").path, sound]) {
    expect(await correlateSound(at, clean, file)).toBeGreaterThan(0.9);
  }
});

test("joins stereo whose channels are in two tracks", async () => {
  const source = await encodeClip("halves.mov", [
    ...[...picture("64x36", 4, 10), ...tone(4, 400), ...tone(4, 900), "-filter_complex"],
    ...["[1]pan=FL|c0=c0[left];[2]pan=FR|c0=c0[right]", "-map", "0", "-map", "[left]"],
    ...["-map", "[right]", ...h264, "-c:a", "pcm_s16le"],
  ]);
  const both = await encodeClip("both.mka", ["-i", source, "-filter_complex", "[0:1][0:2]amerge"]);
  const run = await runProcess(at, source, { done: new Set(["captions", "pictures"]) });
  expect(run.result.problems).toEqual([]);
  expect(run.facts.notices).toEqual([]);
  expect(run.sounds).toHaveLength(1);
  const cut = await runProcess(at, source, {
    done: new Set(["captions", "pictures", "ladder", "extras"]),
    keptParts: [{ startS: 0, endS: 3.9 }],
  });
  const files = [run.one("progressive"), run.one("progressive_small"), cut.one("progressive")];
  for (const file of files) expect(await correlateSound(at, both, file.path)).toBeGreaterThan(0.9);
});

test("includes all audio tracks in the ladder", async () => {
  const source = await severalSounds();
  const run = await runProcess(at, source);
  await expectCompleteRun(at, run);
  expect(run.facts.notices).toEqual([]);
  expect(run.sounds).toEqual([
    { name: "English", language: "en", kind: "main", channels: 2 },
    { name: "Deutsch (dub)", language: "de", kind: "dub", channels: 2 },
    { name: "English (audio description)", language: "en", kind: "description", channels: 2 },
    { name: "English 5.1", language: "en", kind: "main", channels: 6 },
  ]);
  const folder = path.dirname(run.one("hls_master").path);
  const files = ["audio", "audio-2", "audio-3", "audio-surround"];
  for (const [i, file] of files.entries()) {
    const track = await encodeClip(`track-${i}.mka`, [
      ...["-i", source, "-map", `0:a:${i % 3}`, "-c", "copy"],
    ]);
    expect(await correlateSound(at, track, path.join(folder, `${file}.mp4`))).toBeGreaterThan(0.9);
    const other = path.join(folder, `${files[(i + 1) % 3]}.mp4`);
    expect(await correlateSound(at, track, other)).toBeLessThan(0.5);
  }
  const master = await readFile(run.one("hls_master").path, "utf8");
  expect(master.match(/TYPE=AUDIO/g)).toHaveLength(4);
  expect(master.match(/CHANNELS="6"/g)).toHaveLength(1);
});
