import { existsSync, readdirSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { canMakeCell, listGridCells, makeGridClip, titleOf } from "#test/media-grid.ts";
import { mediaKinds } from "#test/media-kinds.ts";
import { listDifferences, processAndCompare } from "#test/served-equals-shown.ts";
import { AppError } from "#server/lib/app-error.ts";
import { createTestMedia, type TestMedia } from "../media.fixture.ts";
import { processOnce } from "./process-run.fixture.ts";

vi.setConfig({ maxConcurrency: 2 });

let at: TestMedia;
beforeAll(async () => {
  at = await createTestMedia();
});
afterAll(() => at.remove());

describe.concurrent("serves what the source shows", () => {
  test.for(listGridCells(100).map((cell) => ({ title: titleOf(cell), cell })))(
    "$title",
    async ({ cell }, { skip, expect }) => {
      skip(!(await canMakeCell(cell)), "ffmpeg lacks an encoder");
      expect(await processAndCompare(at, await makeGridClip(cell))).toEqual([]);
    },
  );
});

describe.concurrent("serves what other kinds of files show", () => {
  test.for(mediaKinds)("$title", async ({ make }, { expect }) => {
    expect(await processAndCompare(at, await make())).toEqual([]);
  });
});

/** Files in all folders of the corpus that have a manifest. */
function listCorpusFiles(): string[] {
  const corpus = process.env["KINORA_CORPUS"] ?? "";
  if (corpus === "") return [];
  const folders = [corpus, ...readdirSync(corpus).map((name) => path.join(corpus, name))];
  return folders
    .filter((folder) => existsSync(path.join(folder, "manifest.json")))
    .flatMap((folder) =>
      readdirSync(folder, { recursive: true, encoding: "utf8" }).map((name) =>
        path.join(folder, name),
      ),
    )
    .filter((file) => /\.(mp4|mov|m4v|3gp|mkv|webm|avi)$/i.test(file))
    .toSorted();
}

const corpusFiles = listCorpusFiles();

describe.skipIf(corpusFiles.length === 0).concurrent("serves what files of the corpus show", () => {
  test.each(corpusFiles)("%s", async (source) => {
    const run = await processOnce(at, source).catch((error: unknown) => {
      // Refused files are tested elsewhere.
      if (error instanceof AppError) return null;
      throw error;
    });
    if (run === null) return;
    expect(await listDifferences(at, source, run)).toEqual([]);
  });
});
