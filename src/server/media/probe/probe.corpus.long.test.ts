import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { corpusPath, corpusVideos, hasCorpusVideos } from "../corpus-videos.fixture.ts";
import { createTestMedia, type TestMedia } from "../media.fixture.ts";

let at: TestMedia;
beforeAll(async () => {
  at = await createTestMedia();
});
afterAll(() => at.remove());

const probeCorpus = (file: string) => at.media.probe(corpusPath(file));

/** Files refused with a reason in the message. */
const reasons: Record<string, string> = {
  "sample.flv": "FLV",
  "sample_h264.ts": "TS",
  "sample_opus.mp4": "sound but no video",
  "sample_vvc.mp4": "vvc1",
  "short-cenc.mp4": "encrypted",
  "invalid-bitstream.webm": "can be decoded",
  "chunk_out_of_range.mp4": "damaged",
};

// Accepted files are probed by the tests of the playable step.
describe.skipIf(!hasCorpusVideos).concurrent("real files of the corpus", () => {
  test.each(corpusVideos.filter((video) => video.expected === "reject"))(
    "refuses $file in plain words ($why)",
    async ({ file }) => {
      const words = reasons[file] ?? "";
      await expect(probeCorpus(file)).rejects.toMatchObject({
        code: expect.stringMatching(/^(unsupported_media|unusable_video)$/),
        message: expect.stringMatching(new RegExp(`^[A-Z](?=.*${words}).{20,}\\.$`)),
      });
    },
  );

  test.each([
    ["rotate-buck-bunny.mp4", "1080x1920 90"],
    ["dolbyVision-hdr.MOV", "720x1280 90"],
    ["sar_2x1.mp4", "1280x360 0"],
    ["no_timescale.mp4", "320x240 0"],
  ])("returns the displayed size of %s", async (file, size) => {
    const { video } = await probeCorpus(file);
    expect(`${video.width}x${video.height} ${video.rotationDeg}`).toBe(size);
  });

  test("corrects an implausible header", async () => {
    const absurd = await probeCorpus("sample_fragmented.mp4");
    expect(absurd.isTruncated).toBe(false);
    expect(absurd.durationS).toBeCloseTo(1.07, 1);
  });

  test("detects HDR, odd matrices and damage", async () => {
    expect((await probeCorpus("hdr10-av1.mp4")).video).toMatchObject({
      isHdr: true,
      bitDepth: 10,
      colorTransfer: "smpte2084",
    });
    expect((await probeCorpus("no_timescale.mp4")).video).toMatchObject({
      displayMatrix: "unusual",
      isCleanStart: false,
    });
    expect((await probeCorpus("sample_with_srt.mkv")).video.isCleanStart).toBe(true);
  });

  test("drops undecodable audio with a warning", async () => {
    expect((await probeCorpus("sar_2x1.mp4")).audio).toBeNull();
    const broken = await probeCorpus("sample_missing_stsd.mp4");
    expect(broken.audio).toBeNull();
    expect(broken.notices).toHaveLength(1);
  });
});
