import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { copyFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { createTestMedia, type TestMedia } from "../media.fixture.ts";
import {
  hasCorpusVideos,
  isDurationRight,
  corpusPath,
  corpusVideos,
  trueDurationS,
} from "../corpus-videos.fixture.ts";

// Real encoding, at low priority: on a busy machine it waits for everything else.
vi.setConfig({ testTimeout: 300_000, hookTimeout: 120_000 });

let at: TestMedia;
beforeAll(async () => {
  at = await createTestMedia();
});
afterAll(() => at.remove());

const probeCorpus = (file: string) => at.media.probe(corpusPath(file));

describe.skipIf(!hasCorpusVideos)("real files of the corpus", () => {
  test.each(corpusVideos.filter((video) => video.expected === "accept"))(
    "$file is accepted with its duration",
    async (video) => {
      const facts = await probeCorpus(video.file);
      expect(
        isDurationRight(facts.durationS, trueDurationS(video)),
        `${facts.durationS} s instead of ${trueDurationS(video)} s`,
      ).toBe(true);
      expect([facts.video.codedWidth, facts.video.codedHeight]).toEqual([
        video.width,
        video.height,
      ]);
    },
  );

  test.each(corpusVideos.filter((video) => video.expected === "reject"))(
    "$file is refused in words ($why)",
    async (video) => {
      const refusal = await probeCorpus(video.file).then(
        () => null,
        (error: unknown) => error,
      );
      expect(refusal).toMatchObject({
        code: expect.stringMatching(/^(unsupported_media|unusable_video)$/),
        message: expect.stringMatching(/^[A-Z].{20,}\.$/),
      });
    },
  );

  test.each([
    ["gen_zero.mp4", "unsupported_media", "empty"],
    ["gen_text.mp4", "unsupported_media", "not a video"],
    ["gen_png_as.mp4", "unsupported_media", "PNG picture"],
    ["gen_hls_disguised.mp4", "unsupported_media", "playlist"],
    ["gen_svg.mp4", "unsupported_media", "XML"],
    ["sample.flv", "unsupported_media", "FLV"],
    ["sample_h264.ts", "unsupported_media", "TS"],
    ["sample_opus.mp4", "unusable_video", "sound but no video"],
    ["sample_vvc.mp4", "unusable_video", "vvc1"],
    ["short-cenc.mp4", "unusable_video", "encrypted"],
    ["invalid-bitstream.webm", "unusable_video", "can be decoded"],
    ["gen_trunc_nomoov.mp4", "unusable_video", "incomplete"],
    ["chunk_out_of_range.mp4", "unusable_video", "damaged"],
    ["gen_bomb16k.mp4", "unusable_video", "16000 x 12000"],
  ])("%s says why: %s, %j", async (file, code, words) => {
    await expect(probeCorpus(file)).rejects.toMatchObject({
      code,
      message: expect.stringContaining(words),
    });
  });

  test("sizes are those on screen: turned, stretched, and as decoded", async () => {
    const size = async (file: string): Promise<string> => {
      const { video } = await probeCorpus(file);
      return `${video.width}x${video.height} ${video.rotationDeg}`;
    };
    expect(await size("rotate-buck-bunny.mp4")).toBe("1080x1920 90");
    expect(await size("dolbyVision-hdr.MOV")).toBe("720x1280 90");
    expect(await size("sar_2x1.mp4")).toBe("1280x360 0");
    expect(await size("gen_interlaced.mov")).toBe("768x576 0");
    expect(await size("gen_hugehdr.mp4")).toBe("1920x1080 0");
    expect(await size("no_timescale.mp4")).toBe("320x240 0");
  });

  test("the header is not believed where the packets say otherwise", async () => {
    const cut = await probeCorpus("gen_trunc_faststart.mp4");
    expect(cut.isTruncated).toBe(true);
    expect(cut.durationS).toBeCloseTo(2.1, 1);
    const absurd = await probeCorpus("sample_fragmented.mp4");
    expect(absurd.isTruncated).toBe(false);
    expect(absurd.durationS).toBeCloseTo(1.07, 1);
  });

  test("HDR, interlacing, odd matrices and damage are noticed", async () => {
    expect((await probeCorpus("hdr10-av1.mp4")).video).toMatchObject({
      isHdr: true,
      bitDepth: 10,
      colorTransfer: "smpte2084",
    });
    expect((await probeCorpus("gen_interlaced.mov")).video.isInterlaced).toBe(true);
    expect((await probeCorpus("sample.mp4")).video.isInterlaced).toBe(false);
    expect((await probeCorpus("no_timescale.mp4")).video).toMatchObject({
      hasOddMatrix: true,
      isCleanStart: false,
    });
    expect((await probeCorpus("sample_with_srt.mkv")).video.isCleanStart).toBe(true);
  });

  test("the sound: default track, none, or none that can be decoded", async () => {
    expect((await probeCorpus("gen_multiaudio.mp4")).audio?.index).toBe(1);
    expect((await probeCorpus("gen_51audio.mov")).audio?.channels).toBe(6);
    expect((await probeCorpus("sar_2x1.mp4")).audio).toBeNull();
    const broken = await probeCorpus("sample_missing_stsd.mp4");
    expect(broken.audio).toBeNull();
    expect(broken.warnings).toHaveLength(1);
  });

  test("the name means nothing", async () => {
    const disguised = path.join(at.folder, "-holiday.jpg");
    await copyFile(corpusPath("gen_oneframe.mp4"), disguised);
    expect((await at.media.probe(disguised)).container).toBe("mov");
  });
});

test("tracks of unwanted codecs are left alone, whatever they are", async () => {
  const file = await at.makeClip("odd-tracks.mkv", [
    ...["-f", "lavfi", "-i", "testsrc2=s=160x120:r=10:d=1"],
    ...["-f", "lavfi", "-i", "sine=d=1", "-map", "0", "-map", "1", "-map", "1"],
    ...["-c:v", "libx264", "-pix_fmt", "yuv420p", "-c:a:0", "wmav2", "-c:a:1", "aac"],
  ]);
  const facts = await at.media.probe(file);
  expect(facts.audio).toMatchObject({ codec: "aac", index: 2 });
  expect(facts.alsoOpen).toEqual(["wmav2"]);
});

test("an unwanted video codec is named", async () => {
  const file = await at.makeClip("wmv.avi", [
    ...["-f", "lavfi", "-i", "testsrc2=s=160x120:r=10:d=1", "-c:v", "wmv2"],
  ]);
  await expect(at.media.probe(file)).rejects.toMatchObject({
    code: "unusable_video",
    message: expect.stringContaining("wmv2"),
  });
});

test("cover pictures are no video", async () => {
  const cover = await at.makeClip("cover.jpg", [
    ...["-f", "lavfi", "-i", "testsrc2=s=160x120", "-frames:v", "1"],
  ]);
  const song = await at.makeClip("song.mp4", [
    ...["-f", "lavfi", "-i", "sine=d=1", "-i", cover, "-map", "0", "-map", "1"],
    ...["-c:a", "aac", "-c:v", "mjpeg", "-disposition:v:0", "attached_pic", "-f", "mp4"],
  ]);
  await expect(at.media.probe(song)).rejects.toMatchObject({
    message: "The file contains sound but no video.",
  });
});

test("a video that is too long is refused with both lengths", async () => {
  const file = await at.makeClip("long.mp4", [
    ...["-f", "lavfi", "-i", "color=s=16x16:r=1/3600:d=50400", "-c:v", "libx264"],
    ...["-pix_fmt", "yuv420p", "-f", "mp4"],
  ]);
  await expect(at.media.probe(file)).rejects.toMatchObject({
    code: "unusable_video",
    message: expect.stringMatching(/14 hours.*12 hours/),
  });
});

test("bytes that only begin like a video are refused", async () => {
  for (const [name, magic] of [
    ["mov", "\0\0\0\x20ftypisom"],
    ["mkv", "\x1a\x45\xdf\xa3"],
    ["avi", "RIFF\0\0\0\0AVI "],
  ]) {
    const file = path.join(at.folder, `fake.${name}`);
    const playlist = "\n#EXTM3U\n#EXTINF:1,\nfile:///etc/passwd\n".repeat(50);
    await writeFile(file, Buffer.from(magic + playlist, "latin1"));
    await expect(at.media.probe(file)).rejects.toMatchObject({ code: "unusable_video" });
  }
});

test("an abort ends it", async () => {
  const file = await at.makeClip("plain.mp4", [
    ...["-f", "lavfi", "-i", "testsrc2=s=160x120:r=10:d=1", "-c:v", "libx264"],
  ]);
  const abort = new AbortController();
  abort.abort(new Error("stopped"));
  await expect(at.media.probe(file, abort.signal)).rejects.toThrow("stopped");
});
