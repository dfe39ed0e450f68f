import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { inject } from "vitest";
import { createLogger } from "#server/lib/logger.ts";
import { createMedia, type Media } from "./media.ts";

export interface TestMedia {
  media: Media;
  /** Temporary folder of this test file. */
  folder: string;
  remove(): Promise<void>;
}

/** Creates media tools in a temporary folder, for tests. */
export async function createTestMedia(): Promise<TestMedia> {
  const folder = await mkdtemp(path.join(tmpdir(), "kinora-media-"));
  const media = await createMedia({
    logger: createLogger("silent"),
    env: process.env,
    workRoot: folder,
    threads: 2,
    report: inject("toolReport") ?? undefined,
    lowersPriority: false,
  });
  return { media, folder, remove: () => rm(folder, { recursive: true, force: true }) };
}

/** Returns whether durations differ by at most a twentieth or a second, as the product promises. */
export function isDurationClose(actualS: number, expectedS: number): boolean {
  return Math.abs(actualS - expectedS) <= Math.max(1, expectedS * 0.05);
}
