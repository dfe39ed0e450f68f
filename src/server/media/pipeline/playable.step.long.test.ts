import { mkdir, rm } from "node:fs/promises";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { listSampleVideos } from "#test/sample-videos.ts";
import {
  corpusPath,
  corpusVideos,
  hasCorpusVideos,
  trueDurationS,
} from "../corpus-videos.fixture.ts";
import { createTestMedia, isDurationClose, type TestMedia } from "../media.fixture.ts";
import type { MediaFacts } from "../facts/media-facts.ts";
import { makePlayable } from "./playable.step.ts";
import { scanSource } from "./process-video.ts";
import { readStreams } from "./read-streams.fixture.ts";

let at: TestMedia;
beforeAll(async () => {
  at = await createTestMedia();
});
afterAll(() => at.remove());

/** Probes a file, makes its first playable file and checks it. */
async function publishEarly(sourcePath: string, durationS: number) {
  const facts = await at.media.probe(sourcePath);
  const workDir = path.join(at.folder, path.basename(sourcePath));
  await mkdir(workDir);
  const source = await scanSource(at.media.pipeline, { sourcePath, facts, workDir });
  const playable = await makePlayable(at.media.pipeline, source, async () => 0);
  for (const actualS of [source.facts.durationS, playable.durationS]) {
    expect(isDurationClose(actualS, durationS), `${actualS} s instead of ${durationS} s`).toBe(
      true,
    );
  }
  const [file] = playable.files;
  if (file === undefined) throw new Error("no file");
  await expectPlayable(facts, file.path);
  await rm(workDir, { recursive: true });
  return { facts, playable };
}

/**
 * Expects H.264 in 4:2:0 with square pixels and at most two channels of AAC, which every browser
 * plays.
 */
async function expectPlayable(facts: MediaFacts, file: string): Promise<void> {
  const { video, audio, others } = await readStreams(at.media, file);
  expect(video.codec_name).toBe("h264");
  expect(video.pix_fmt).toMatch(/^yuvj?420p$/);
  expect(video.sample_aspect_ratio ?? "1:1").toBe("1:1");
  expect(audio === null).toBe(facts.audio === null);
  if (audio !== null) expect([audio.codec_name, audio.channels === 6]).toEqual(["aac", false]);
  expect(others).toBe(0);
}

const samples = await listSampleVideos();
describe.concurrent("the first playable file of samples", () => {
  test.each(samples)("$title", async (sample) => {
    const { facts, playable } = await publishEarly(await sample.make(), sample.durationS);
    expect(`${facts.video.width}x${facts.video.height}`).toBe(sample.size);
    expect(facts.audio !== null).toBe(sample.hasAudio);
    expect(playable.kind).toBe(sample.isCopied ? "copy" : "quick");
  });
});

/** Files that browsers play unchanged, so nothing has to be decoded. */
const copied = new Set([
  ...["video.mp4", "rotate-buck-bunny.mp4", "cursed-vfr.mp4", "sowt-with-video.mov", "bt601.mov"],
  ...["sample_portrait.mp4", "sample.mp4", "sample_fragmented.mp4", "sample_missing_stsd.mp4"],
  ...["sample_with_srt.mkv", "metadata.mp4", "long_1080p_lowbitrate.mp4"],
  "sample_shorter_audio.mp4",
]);

describe.skipIf(!hasCorpusVideos).concurrent("the first playable file of corpus files", () => {
  test.each(corpusVideos.filter((video) => video.expected === "accept"))("$file", async (video) => {
    const { facts, playable } = await publishEarly(corpusPath(video.file), trueDurationS(video));
    const { codedWidth, codedHeight } = facts.video;
    expect([codedWidth, codedHeight]).toEqual([video.width, video.height]);
    expect(playable.kind).toBe(copied.has(video.file) ? "copy" : "quick");
  });
});
