import { afterAll, beforeAll, expect, it } from "vitest";
import { createTestDatabase, type TestDatabase } from "../../../../test/database.ts";
import { makeVideo } from "../../../../test/factories/make-video.ts";
import { findVideoRow, reportProgress } from "../library/videos.repository.ts";

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

it.each([
  ["of a video that is being worked on is kept", 0.5, 0.75],
  ["from a run that begins anew is kept", 0.99, 0.75],
  ["that comes behind the end is not", 1, 1],
  ["about a video that was given up is not", null, null],
])("a report %s", async (_name, before, after) => {
  const { db } = database;
  const { id } = await makeVideo(db, { status: "ready", progress: before });
  await reportProgress(db, id, 0.75);
  expect((await findVideoRow(db, id))?.progress).toBe(after);
});
