import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { copyFile, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { encodeClip, keepBytes } from "#test/clip-cache.ts";
import { renameBox } from "#test/mp4-edits.ts";
import { refusedSamples } from "#test/refused-samples.ts";
import { aac, faststart, h264, picture, sampleVideos, tone } from "#test/sample-videos.ts";
import { planFrameRate } from "../facts/media-facts.ts";
import { createTestMedia, type TestMedia } from "../media.fixture.ts";
import { planPlayable } from "../plan/playable.ts";
import { createProber } from "./prober.ts";
import { scanPackets } from "./scan.ts";

const fragments = ["-movflags", "+frag_keyframe+empty_moov+default_base_moof"];

let at: TestMedia;
beforeAll(async () => {
  at = await createTestMedia();
});
afterAll(() => at.remove());

const probeSample = async (name: keyof typeof sampleVideos) =>
  at.media.probe(await sampleVideos[name].make());

describe.concurrent("samples", () => {
  test.each(refusedSamples)("refuses $title with a reason", async (sample) => {
    const file = await sample.make();
    await expect(at.media.probe(file)).rejects.toMatchObject({
      code: sample.code,
      message: expect.stringMatching(new RegExp(`^[A-Z](?=.*${sample.words}).{20,}\\.$`)),
    });
  });

  test.each([
    ["rotated", "1080x1920 90"],
    ["interlaced", "768x576 0"],
    ["wrongSize", "320x180 0"],
    ["zeroMatrix", "320x180 0"],
  ] as const)("returns the displayed size of %s", async (name, size) => {
    const { video } = await probeSample(name);
    expect(`${video.width}x${video.height} ${video.rotationDeg}`).toBe(size);
  });

  test("keeps odd dimensions as coded", async () => {
    const { video } = await probeSample("oddSize");
    expect([video.codedWidth, video.codedHeight]).toEqual([161, 121]);
  });

  test("trusts the packets rather than a wrong header", async () => {
    const cut = await probeSample("truncated");
    expect(cut.isTruncated).toBe(true);
    expect(cut.durationS).toBeCloseTo(2.1, 1);
    const fragmented = await probeSample("fragmented");
    expect(fragmented.isTruncated).toBe(false);
    expect(fragmented.durationS).toBeCloseTo(1, 1);
  });

  test("finds and reports the smallest missing end", async () => {
    const bytes = await readFile(await faststart());
    const file = path.join(at.folder, "late-cut.mp4");
    await writeFile(file, bytes.subarray(0, bytes.length - 2000));
    const cut = await at.media.probe(file);
    expect(cut.isTruncated).toBe(true);
    expect(cut.notices).toEqual(["The file is incomplete: its end is missing."]);
    expect((await probeSample("truncated")).notices).toEqual([
      expect.stringMatching(/^The file is incomplete: only 2\.\d s of 4 s could be read\.$/),
    ]);
  });

  test.each([
    ["late.mkv", []],
    ["late.webm", ["-c:v", "libvpx", "-c:a", "libvorbis"]],
    ["late.mp4", []],
    ["late-fragments.mp4", fragments],
  ])("finds no missing end in times of %s that don't start at 0", async (name, options) => {
    const file = await encodeClip(name, [
      ...[...picture("64x36", 2, 10), ...tone(2), ...h264, "-g", "5", "-c:a", "aac"],
      ...[...options, "-output_ts_offset", "5"],
    ]);
    const facts = await at.media.probe(file);
    expect(facts).toMatchObject({ isTruncated: false, notices: [] });
    expect(facts.durationS).toBeCloseTo(2, 0);
  });

  test("reads all packets if a tool finds none past the end", async () => {
    const file = await sampleVideos.plain.make();
    const { tools } = at.media.pipeline;
    const findNone = (args: readonly string[]) =>
      args.map((arg) => (arg === "99999999%" ? "99999999%+#0" : arg));
    const ffprobe: typeof tools.ffprobe = (job) =>
      tools.ffprobe({ ...job, args: findNone(job.args) });
    const deps = { tools: { ...tools, ffprobe }, cwd: at.folder };
    const options = { ignoresEdits: false, signal: undefined };
    const { info, endsS } = await createProber(deps, "mov", file, options).readInfo(false);
    expect([...endsS.keys()].toSorted()).toEqual(info.streams.map(({ index }) => index));
  });

  test.each(["sound-ends.mkv", "sound-ends.webm"])(
    "finds the end of sound before the last keyframe of %s",
    async (name) => {
      const codecs = name.endsWith("webm") ? ["-c:v", "libvpx", "-c:a", "libopus"] : [...h264];
      const tagged = await encodeClip(name, [
        ...[...picture("64x36", 6, 10), ...tone(2), ...codecs, "-g", "10"],
      ]);
      expect((await at.media.probe(tagged)).audio?.endS).toBeCloseTo(2, 1);
      const untagged = path.join(at.folder, name);
      const bytes = (await readFile(tagged)).toString("latin1");
      await writeFile(untagged, Buffer.from(bytes.replaceAll("DURATION", "UNKNOWN "), "latin1"));
      const facts = await at.media.probe(untagged);
      expect(facts.audio?.endS).toBeCloseTo(2, 1);
      expect(facts.durationS).toBeCloseTo(6, 1);
    },
  );

  test("finds a missing end even if timestamps don't start at 0", async () => {
    const source = await encodeClip("late-whole.mkv", [
      ...[...picture("64x36", 8, 10), ...tone(8), ...h264, "-g", "5", "-c:a", "aac"],
      ...["-output_ts_offset", "5"],
    ]);
    const bytes = await readFile(source);
    const file = path.join(at.folder, "late-cut.mkv");
    await writeFile(file, bytes.subarray(0, bytes.length / 2));
    const facts = await at.media.probe(file);
    expect(facts.isTruncated).toBe(true);
    expect(facts.notices).toEqual([
      expect.stringMatching(/^The file is incomplete: only [34](\.\d)? s of 8 s could be read\.$/),
    ]);
  });

  test("accepts a longer subtitle track", async () => {
    const lines = path.join(at.folder, "long.srt");
    await writeFile(lines, "1\n00:00:00,500 --> 00:10:00,000\nUntil the end\n");
    for (const [name, codec] of [
      ["long-lines.mkv", "srt"],
      ["long-lines.mp4", "mov_text"],
    ] as const) {
      const file = await encodeClip(name, [
        ...[...picture("64x36", 2, 10), ...tone(2), "-i", lines, "-map", "0", "-map", "1"],
        ...["-map", "2", ...h264, "-g", "5", "-c:a", "aac", "-c:s", codec],
      ]);
      const facts = await at.media.probe(file);
      expect(facts).toMatchObject({ isTruncated: false, notices: [] });
      expect(facts.durationS).toBeCloseTo(2, 0);
    }
  });

  test.each([
    ["Movie.srt:fps=25@GPAC0.8.0-rev2-gd8538e8d-master", null],
    ["SubtitleHandler", null],
    ["Director's comments", "Director's comments"],
  ])("reads the title of subtitles with the handler name %j", async (name, title) => {
    const lines = await keepBytes("one-line.srt", "1\n00:00:00,000 --> 00:00:01,000\nLine\n");
    const file = await encodeClip(`handler-${name.replaceAll(/\W/g, "")}.mp4`, [
      ...[...picture("64x36", 1, 10), "-i", lines, ...h264, "-c:s", "mov_text"],
      ...["-metadata:s:s:0", `handler_name=${name}`],
    ]);
    expect((await at.media.probe(file)).texts).toMatchObject([{ title }]);
  });

  const subtitled = async (count: number) => {
    const lines = await keepBytes("one-line.srt", "1\n00:00:00,000 --> 00:00:01,000\nLine\n");
    return encodeClip(`subtitles-${count}.mkv`, [
      ...[...picture("64x36", 1, 10), "-i", lines, "-map", "0", ...h264, "-c:s", "srt"],
      ...Array.from({ length: count }, () => ["-map", "1"]).flat(),
      ...["-disposition:s", "0", `-disposition:s:${count - 1}`, "forced"],
    ]);
  };

  test("uses 32 of 36 subtitle tracks, forced ones first, and names 300 as too many", async () => {
    const facts = await at.media.probe(await subtitled(36));
    expect(facts).toMatchObject({
      video: { isCleanStart: true },
      notices: ["The file has 36 subtitle tracks. At most 32 are used."],
    });
    expect(facts.texts.map(({ index }) => index)).toEqual([
      ...Array.from({ length: 31 }, (_, i) => i + 1),
      36,
    ]);
    await expect(at.media.probe(await subtitled(300))).rejects.toMatchObject({
      code: "unusable_video",
      message: "The file contains too many tracks.",
    });
  });

  test.each([40, 300])("finds no damage in a file with %i fonts", async (count) => {
    const font = await keepBytes("font.ttf", "font");
    const file = await encodeClip(`fonts-${count}.mkv`, [
      ...[...picture("64x36", 1, 10), ...h264],
      ...Array.from({ length: count }, () => ["-attach", font]).flat(),
      ...["-metadata:s:t", "mimetype=application/x-truetype-font"],
    ]);
    const facts = await at.media.probe(file);
    expect(facts).toMatchObject({ video: { isCleanStart: true }, notices: [] });
  });

  test("reports dropped and changed parts", async () => {
    const noticesOf = async (name: keyof typeof sampleVideos) => (await probeSample(name)).notices;
    expect(await noticesOf("plain")).toEqual([]);
    expect(await noticesOf("trimmed")).toEqual([
      "An edit list hides 3.3 s of the file. Only the original still contains the hidden parts.",
    ]);
    expect(await noticesOf("multiAudio")).toEqual([]);
    expect(await noticesOf("surround")).toEqual([]);
    expect(await noticesOf("subtitled")).toEqual([]);
    expect(await noticesOf("hdr")).toEqual([
      "This is an HDR video. Renditions other than HDR are converted to standard dynamic range.",
    ]);
    expect(await noticesOf("interlaced")).toHaveLength(1);
    expect(await noticesOf("alpha")).toEqual([
      "Transparent parts of the picture are shown as opaque.",
    ]);
  });

  test("reads all tracks even if hundreds of hidden frames follow a cut", async () => {
    const source = await encodeClip("one-keyframe.mp4", [
      ...[...picture("64x36", 15, 50), ...tone(15), ...h264, "-g", "9999", "-c:a", "aac"],
    ]);
    const file = await encodeClip("late-start.mp4", ["-ss", "14", "-i", source, "-c", "copy"]);
    const facts = await at.media.probe(file);
    expect(facts).toMatchObject({ video: { isCleanStart: true }, audio: { codec: "aac" } });
    expect(facts.durationS).toBeCloseTo(1, 1);
  });

  test("uses the default of several video tracks", async () => {
    const { video, notices } = await probeSample("twoPictures");
    expect([video.index, video.width]).toEqual([1, 320]);
    expect(notices).toEqual(["The file has 2 video tracks. Only the default one is used."]);
  });

  test("detects HDR, interlacing and odd matrices", async () => {
    expect((await probeSample("hdr")).video).toMatchObject({
      isHdr: true,
      bitDepth: 10,
      colorTransfer: "smpte2084",
    });
    expect((await probeSample("interlaced")).video.isInterlaced).toBe(true);
    expect((await probeSample("plain")).video).toMatchObject({
      isInterlaced: false,
      isHdr: false,
      isCleanStart: true,
    });
    expect((await probeSample("zeroMatrix")).video.displayMatrix).toBe("unusual");
  });

  test("uses the default audio track, or none", async () => {
    expect((await probeSample("multiAudio")).audio?.index).toBe(1);
    expect((await probeSample("surround")).audio?.channels).toBe(6);
    expect((await probeSample("oddSize")).audio).toBeNull();
    const broken = await probeSample("brokenAudio");
    expect(broken.audio).toBeNull();
    expect(broken.notices).toEqual([
      "The audio (unknown format) can't be decoded. The video plays without sound.",
    ]);
    const plain = await sampleVideos.plain.make();
    const purchased = await at.media.probe(
      await renameBox("purchased-sound.mp4", plain, "mp4a", "drms"),
    );
    expect(purchased.notices).toEqual([expect.stringContaining("is encrypted")]);
  });

  test("ignores the file name", async () => {
    const disguised = path.join(at.folder, "-holiday.jpg");
    await copyFile(await sampleVideos.oneFrame.make(), disguised);
    expect((await at.media.probe(disguised)).container).toBe("mov");
  });

  test("ignores tracks of unsupported codecs", async () => {
    const file = await encodeClip("odd-tracks.mkv", [
      ...[...picture("160x120", 1, 10), ...tone(1), "-map", "0", "-map", "1", "-map", "1"],
      ...[...h264, "-c:a:0", "wavpack", "-c:a:1", "aac"],
    ]);
    const facts = await at.media.probe(file);
    expect(facts.audio).toMatchObject({ codec: "aac", index: 2 });
    expect(facts.alsoOpen).toEqual(["wavpack"]);
  });

  test("ignores a cover picture", async () => {
    const cover = await encodeClip("cover.jpg", [...picture("160x120", 1), "-frames:v", "1"]);
    const song = await encodeClip("song.mp4", [
      ...[...tone(1), "-i", cover, "-map", "0", "-map", "1"],
      ...["-c:a", "aac", "-c:v", "mjpeg", "-disposition:v:0", "attached_pic", "-f", "mp4"],
    ]);
    await expect(at.media.probe(song)).rejects.toMatchObject({
      message: "The file contains sound but no video.",
    });
  });

  test("refuses a video that is too long and names both durations", async () => {
    const file = await encodeClip("long.mp4", [
      ...["-f", "lavfi", "-i", "color=s=16x16:r=1/3600:d=50400", ...h264],
    ]);
    await expect(at.media.probe(file)).rejects.toMatchObject({
      code: "unusable_video",
      message: expect.stringMatching(/14 hours.*12 hours/),
    });
  });

  test("accepts a video whose clock jumps by more than a day", async () => {
    const jump = "setts=ts=TS+gte(TS\\,1000)*95443000";
    const file = await encodeClip("wrapped-clock.mkv", [
      ...[...picture("64x36", 2), ...tone(2), ...h264, ...aac, "-bsf:v", jump, "-bsf:a", jump],
    ]);
    const deps = { tools: at.media.pipeline.tools, cwd: at.folder };
    const facts = await at.media.probe(file);
    const scanned = await scanPackets(deps, facts, file, undefined);
    expect(scanned.facts.durationS).toBeCloseTo(2, 0);
  });

  test.each([
    ["mov", "\0\0\0\x20ftypisom"],
    ["mkv", "\x1a\x45\xdf\xa3"],
    ["avi", "RIFF\0\0\0\0AVI "],
  ])("refuses a playlist after the first bytes of a %s file", async (name, magic) => {
    const file = path.join(at.folder, `fake.${name}`);
    const playlist = "\n#EXTM3U\n#EXTINF:1,\nfile:///etc/passwd\n".repeat(50);
    await writeFile(file, Buffer.from(magic + playlist, "latin1"));
    await expect(at.media.probe(file)).rejects.toMatchObject({ code: "unusable_video" });
  });

  test("stops on an abort", async () => {
    const abort = new AbortController();
    abort.abort(new Error("stopped"));
    const probe = at.media.probe(await sampleVideos.plain.make(), abort.signal);
    await expect(probe).rejects.toThrow("stopped");
  });
});

test("reports a second video that was appended to the first", async () => {
  const one = await readFile(await sampleVideos.plain.make());
  const joined = path.join(at.folder, "joined.mp4");
  await writeFile(joined, Buffer.concat([one, one]));
  const { notices, durationS } = await at.media.probe(joined);
  expect(notices).toEqual([
    "The file contains several videos in sequence. Only the first one is used.",
  ]);
  expect(durationS).toBeCloseTo(1, 0);
});

test.each([
  ["joined.webm", ["-c:v", "libvpx", "-c:a", "libvorbis"]],
  ["joined.mkv", [...h264, ...aac]],
  ["joined-fragments.mp4", [...h264, ...aac, ...fragments]],
])("uses the first of two recordings in %s", async (name, options) => {
  const record = async (durationS: number) => {
    const input = [...picture("64x36", durationS), ...tone(durationS), "-g", "25"];
    return readFile(await encodeClip(`${durationS}-s-${name}`, [...input, ...options]));
  };
  const joined = path.join(at.folder, name);
  await writeFile(joined, Buffer.concat([await record(2), await record(3)]));
  const deps = { tools: at.media.pipeline.tools, cwd: at.folder };
  const probed = await at.media.probe(joined);
  const { scan, facts } = await scanPackets(deps, probed, joined, undefined);
  expect(facts.notices).toEqual([
    "The file contains several videos in sequence. Only the first one is used.",
  ]);
  expect(planFrameRate(facts.video.fps, scan)).toEqual({ num: 25, den: 1 });
  expect(facts.durationS).toBeCloseTo(2, 0);
  expect(planPlayable(facts, scan).kind).toBe("quick");
});

test("finds a single recording if its frames are far apart and reordered", async () => {
  const file = await encodeClip("slow-reordered.mkv", [
    ...[...picture("64x36", 12, 2), "-c:v", "libx264", "-bf", "5", "-b_strategy", "0"],
  ]);
  const deps = { tools: at.media.pipeline.tools, cwd: at.folder };
  const { scan, facts } = await scanPackets(deps, await at.media.probe(file), file, undefined);
  expect([scan.packetCount, facts.notices]).toEqual([24, []]);
});
