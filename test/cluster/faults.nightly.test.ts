import { test } from "vitest";
import { expectToSurvive } from "./fault-run.ts";

test(
  "loses no acknowledged video and leaves nothing after 40 deaths and ten full disks",
  () =>
    expectToSurvive({
      deaths: { ffmpeg: 14, ffprobe: 12, postmaster: 8, worker: 6 },
      fullAt: [2, 5, 9, 12, 16, 21, 25, 28, 33, 37],
    }),
  1_800_000,
);
