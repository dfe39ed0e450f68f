import { test } from "vitest";
import { expectToSurvive } from "./fault-run.ts";

test("loses no acknowledged video and leaves nothing after twelve deaths and three full disks", () =>
  expectToSurvive({
    deaths: { ffmpeg: 4, ffprobe: 3, postmaster: 3, worker: 2 },
    fullAt: [2, 6, 10],
  }));
