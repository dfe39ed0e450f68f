import { expect, test } from "vitest";
import { dropWasteful } from "./ladder.step.ts";
import type { MediaFile } from "./pipeline-context.ts";

const file = (role: MediaFile["role"], name: string): MediaFile => ({
  role,
  name: `hls/${name}`,
  path: `/work/hls/${name}`,
  sizeBytes: 1,
  width: null,
  height: null,
  durationS: null,
});

const variant = (height: number, averageBps: number) => ({
  uri: `v${height}.m3u8`,
  width: height * 2,
  height,
  averageBps,
  peakBps: averageBps,
  durationS: 4,
  fps: { num: 25, den: 1 },
  codec: "avc1.64001f",
});

test("leaves out renditions that cost more than a larger one, with their files", () => {
  const { files, renditions } = dropWasteful({
    files: [
      ...["v1080.mp4", "v480.mp4", "v360.mp4", "audio.mp4"].map((name) => file("hls_media", name)),
      ...["v1080.m3u8", "v480.m3u8", "v360.m3u8", "audio.m3u8"].map((name) =>
        file("hls_playlist", name),
      ),
    ],
    renditions: {
      variants: [variant(1080, 552_000), variant(480, 1_937_000), variant(360, 500_000)],
      sounds: [],
      notices: [],
      isPictureDamaged: false,
      isSoundDamaged: false,
    },
  });
  expect(renditions.variants.map(({ uri }) => uri)).toEqual(["v1080.m3u8", "v360.m3u8"]);
  expect(files.map(({ name }) => name)).toEqual([
    ...["hls/v1080.mp4", "hls/v360.mp4", "hls/audio.mp4"],
    ...["hls/v1080.m3u8", "hls/v360.m3u8", "hls/audio.m3u8"],
  ]);
});
