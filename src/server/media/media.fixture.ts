import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { createLogger } from "../lib/logger.ts";
import { createMedia, type Media } from "./media.ts";

export interface TestMedia {
  media: Media;
  /** A temporary folder of this test file. */
  folder: string;
  /** Runs ffmpeg on made-up input ("testsrc2=..."), for clips that tests need. */
  makeClip(name: string, args: string[]): Promise<string>;
  remove(): Promise<void>;
}

/** The real tools in a temporary folder, for tests. */
export async function createTestMedia(): Promise<TestMedia> {
  const folder = await mkdtemp(path.join(tmpdir(), "kinora-media-"));
  const media = await createMedia({
    logger: createLogger("silent"),
    env: process.env,
    workRoot: folder,
    threads: 2,
  });
  return {
    media,
    folder,
    async makeClip(name, args) {
      const target = path.join(folder, name);
      await media.workshop.tools.ffmpeg({
        name: "clip",
        args: [...args, target],
        cwd: folder,
        limits: { addressSpaceBytes: 2 ** 33, rssBytes: 2 ** 32, cpuS: 120, wallS: 120 },
      });
      return target;
    },
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}
