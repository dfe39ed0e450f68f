import { afterAll, beforeAll, test } from "vitest";
import { createTestMedia, type TestMedia } from "#server/media/media.fixture.ts";
import { processOnce } from "#server/media/pipeline/process-run.fixture.ts";
import { sampleVideos } from "#test/sample-videos.ts";
import { expectPlayedByShaka } from "../support/third-party-player.ts";

let at: TestMedia;
beforeAll(async () => {
  at = await createTestMedia();
});
afterAll(() => at.remove());

// The samples of `process-samples.long.test.ts`. The others are in the nightly tier.
test.each(["rotated", "hdr", "trimmed"] as const)(
  "plays every rendition of %s to its end with Shaka Player",
  async (name) => expectPlayedByShaka(await processOnce(at, await sampleVideos[name].make())),
);
