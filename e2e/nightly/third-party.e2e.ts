import { afterAll, beforeAll, test } from "vitest";
import { corpusPath, hasCorpusVideos } from "#server/media/corpus-videos.fixture.ts";
import { createTestMedia, type TestMedia } from "#server/media/media.fixture.ts";
import { processOnce } from "#server/media/pipeline/process-run.fixture.ts";
import { encodeClip } from "#test/clip-cache.ts";
import { sampleVideos } from "#test/sample-videos.ts";
import { expectPlayedByShaka } from "../support/third-party-player.ts";

let at: TestMedia;
beforeAll(async () => {
  at = await createTestMedia();
});
afterAll(() => at.remove());

const samples = Object.entries(sampleVideos).map(
  ([name, { make }]) => [name, make] satisfies [string, () => Promise<string>],
);
const corpus: [string, () => Promise<string>][] = hasCorpusVideos
  ? [
      ["rotate-buck-bunny.mp4", async () => corpusPath("rotate-buck-bunny.mp4")],
      ["bear-vp9-odd-dimensions.webm", async () => corpusPath("bear-vp9-odd-dimensions.webm")],
      // Only two of the five segments.
      [
        "video-h265.mp4",
        () => encodeClip("h265.mp4", ["-i", corpusPath("video-h265.mp4"), "-t", "3", "-c", "copy"]),
      ],
    ]
  : [];

test.each([...samples, ...corpus])(
  "plays every rendition of %s to its end with Shaka Player",
  async (_, make) => expectPlayedByShaka(await processOnce(at, await make())),
);
