import { afterAll, beforeAll, describe, test, vi } from "vitest";
import { canMakeCell, listGridCells, makeGridClip, titleOf } from "#test/media-grid.ts";
import { findKind } from "#test/media-kinds.ts";
import { listDifferences } from "#test/served-equals-shown.ts";
import { createTestMedia, type TestMedia } from "../media.fixture.ts";
import { processOnce } from "./process-run.fixture.ts";

vi.setConfig({ maxConcurrency: 2 });

let at: TestMedia;
beforeAll(async () => {
  at = await createTestMedia();
});
afterAll(() => at.remove());

// The nightly tier has the whole grid and all kinds.
describe.concurrent("serves what the source shows", () => {
  test.for(listGridCells(10).map((cell) => ({ title: titleOf(cell), cell })))(
    "$title",
    async ({ cell }, { skip, expect }) => {
      skip(!(await canMakeCell(cell)), "ffmpeg lacks an encoder");
      const { file, edited } = await makeGridClip(cell);
      const run = await processOnce(at, file);
      expect(await listDifferences(at, file, run, { edited })).toEqual([]);
    },
  );

  test.for(["sound with a gap", "a compressed index with an edit list"])(
    "%s",
    async (title, { expect }) => {
      const { file, edited } = await findKind(title).make();
      const run = await processOnce(at, file);
      expect(await listDifferences(at, file, run, { edited })).toEqual([]);
    },
  );
});
