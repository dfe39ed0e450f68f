import { globSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";

/** Options that ffmpeg 9 no longer has, or that ffmpeg 5 to 8 call deprecated. */
const removed = [
  ...["absf", "adrift_threshold", "async", "deinterlace", "filter_complex_script"],
  ...["filter_script", "map_channel", "psnr", "qphist", "top", "vbsf", "vol", "vsync"],
];

const root = path.join(import.meta.dirname, "../../../..");
const sources = globSync("{src/server/media,demo,test,bench,e2e}/**/*.ts", { cwd: root });

test("uses no options that some versions of ffmpeg lack", () => {
  const option = new RegExp(`"-(?:${removed.join("|")})(?::[^"]*)?"`);
  const lines = sources.flatMap((file) =>
    readFileSync(path.join(root, file), "utf8")
      .split("\n")
      .filter((line) => option.test(line))
      .map((line) => `${file}: ${line.trim()}`),
  );
  expect(sources.length).toBeGreaterThan(100);
  expect(lines).toEqual([]);
});
