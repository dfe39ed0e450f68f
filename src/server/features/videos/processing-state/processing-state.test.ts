import { expect, it } from "vitest";
import { useTestDatabase } from "#test/database.ts";
import { makeVideo } from "#test/factories/make-video.ts";
import { updateProgress } from "./processing-state.repository.ts";
import { findVideoRow } from "../videos.repository.ts";

const database = useTestDatabase();

it.each([
  ["stored while a video is processed", 0.5, 0.75],
  ["stored when processing starts again", 0.99, 0.75],
  ["ignored after the end of processing", 1, 1],
  ["ignored after processing has failed", null, null],
])("progress is %s", async (_name, before, after) => {
  const { db } = database;
  const { id } = await makeVideo(db, { status: "ready", progress: before });
  await updateProgress(db, id, 0.75);
  expect((await findVideoRow(db, id))?.progress).toBe(after);
});
