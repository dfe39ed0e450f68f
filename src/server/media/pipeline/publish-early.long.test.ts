import { mkdir, rm } from "node:fs/promises";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { createTestMedia, type TestMedia } from "../media.fixture.ts";
import {
  hasCorpusVideos,
  isDurationRight,
  corpusPath,
  corpusVideos,
  trueDurationS,
} from "../corpus-videos.fixture.ts";
import { readStreams } from "./read-streams.fixture.ts";
import { startPiece } from "./process-video.ts";
import { makePlayable } from "./playable.step.ts";

// Real encoding, at low priority: on a busy machine it waits for everything else.
vi.setConfig({ testTimeout: 300_000, hookTimeout: 120_000 });

let at: TestMedia;
beforeAll(async () => {
  at = await createTestMedia();
});
afterAll(() => at.remove());

/** Where browsers play the source as it is, nothing is decoded. */
const copied = new Set([
  ...["video.mp4", "rotate-buck-bunny.mp4", "cursed-vfr.mp4", "sowt-with-video.mov", "bt601.mov"],
  ...["sample_portrait.mp4", "sample.mp4", "sample_fragmented.mp4", "sample_missing_stsd.mp4"],
  ...["sample_with_srt.mkv", "metadata.mp4", "long_1080p_lowbitrate.mp4", "gen_multiaudio.mp4"],
  ...["sample_edit_list_only_preroll_sync_sample.mp4", "sample_shorter_audio.mp4"],
  ...["gen_oneframe.mp4", "gen_51audio.mov"],
]);

describe.skipIf(!hasCorpusVideos)("the first playable file of real files", () => {
  test.each(corpusVideos.filter((video) => video.expected === "accept"))(
    "$file plays, and lasts as long as it should",
    async (video) => {
      const source = corpusPath(video.file);
      const facts = await at.media.probe(source);
      const workDir = path.join(at.folder, video.file);
      await mkdir(workDir);
      const piece = await startPiece(at.media.workshop, { sourcePath: source, facts, workDir });
      const made = await makePlayable(at.media.workshop, piece);

      expect(made.kind).toBe(copied.has(video.file) ? "copy" : "quick");
      expect(
        isDurationRight(made.durationS, trueDurationS(video)),
        `${made.durationS} s instead of ${trueDurationS(video)} s`,
      ).toBe(true);
      const [file] = made.files;
      if (file === undefined) throw new Error("no file");
      const { video: picture, audio, others } = await readStreams(at.media, file.path);
      expect(picture.codec_name).toBe("h264");
      expect(picture.pix_fmt).toMatch(/^yuvj?420p$/);
      expect(picture.sample_aspect_ratio ?? "1:1").toBe("1:1");
      expect(audio === null).toBe(facts.audio === null);
      if (audio !== null) expect([audio.codec_name, audio.channels === 6]).toEqual(["aac", false]);
      expect(others).toBe(0);
      await rm(workDir, { recursive: true });
    },
  );
});
