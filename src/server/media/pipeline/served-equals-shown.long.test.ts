import { afterAll, beforeAll, describe, test, vi } from "vitest";
import { canMakeCell, listGridCells, makeGridClip, titleOf } from "#test/media-grid.ts";
import { findKind } from "#test/media-kinds.ts";
import { processAndCompare } from "#test/served-equals-shown.ts";
import { createTestMedia, type TestMedia } from "../media.fixture.ts";

vi.setConfig({ maxConcurrency: 2 });

let at: TestMedia;
beforeAll(async () => {
  at = await createTestMedia();
});
afterAll(() => at.remove());

// The nightly tier has the whole grid and all kinds.
describe.concurrent("serves what the source shows", () => {
  test.for(listGridCells(4).map((cell) => ({ title: titleOf(cell), cell })))(
    "$title",
    async ({ cell }, { skip, expect }) => {
      skip(!(await canMakeCell(cell)), "ffmpeg lacks an encoder");
      expect(await processAndCompare(at, await makeGridClip(cell))).toEqual([]);
    },
  );

  test.for(["sound with a gap", "a compressed index with an edit list"])(
    "%s",
    async (title, { expect }) => {
      expect(await processAndCompare(at, await findKind(title).make())).toEqual([]);
    },
  );
});
