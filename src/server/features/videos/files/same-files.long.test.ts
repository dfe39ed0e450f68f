import { expect, test } from "vitest";
import { useClient, useTestApp } from "#test/app.ts";
import { faststart, plain, videoForm } from "#test/sample-videos.ts";
import { changeVideo } from "#test/factories/make-video.ts";

const app = useTestApp({ logLevel: "silent" });
const admin = useClient(app);

async function upload(title: string, source: string) {
  const form = await videoForm(source, { title });
  const { status, json } = await admin.call("POST", "/api/videos", form);
  expect(status).toBe(201);
  return json;
}

const readFiles = async (id: string) =>
  (await admin.call("GET", `/api/admin/videos/${id}/files`)).json;

test("accepts a duplicate file, and reports it on both videos", async () => {
  const first = await upload("First", await plain());
  expect(first.sameFileAs).toEqual([]);
  const second = await upload("Second", await plain());
  const named = (video: { id: string; slug: string; title: string }) => ({
    id: video.id,
    slug: video.slug,
    title: video.title,
  });
  expect(second.sameFileAs).toEqual([named(first)]);
  expect((await upload("Other", await faststart())).sameFileAs).toEqual([]);
  expect((await readFiles(first.id)).sameFileAs).toEqual([named(second)]);

  // Files from older versions have no hash. It is computed if another file has the same size.
  const { db } = app;
  await db.updateTable("videos").set({ source_sha256: null }).execute();
  const third = await upload("Third", await plain());
  expect(third.sameFileAs).toEqual([named(first), named(second)]);
  const hashes = await db
    .selectFrom("videos")
    .select(["title", "source_sha256 as hash"])
    .where("source_sha256", "is not", null)
    .execute();
  expect(hashes.map(({ title }) => title).toSorted()).toEqual(["First", "Second", "Third"]);

  // Files of the same size can still be different.
  await db.updateTable("videos").set({ source_bytes: 1 }).execute();
  expect(
    (await readFiles(third.id)).sameFileAs.map(({ title }: { title: string }) => title),
  ).toEqual(["First", "Second"]);

  // A deleted original matches no other file.
  const { storage } = app.context;
  await changeVideo(db, first.id, { source_sha256: null, source_key: "sources/gone" });
  expect(await storage.findStat("sources/gone")).toBeNull();
  expect((await readFiles(third.id)).sameFileAs).toEqual([named(second)]);
});
