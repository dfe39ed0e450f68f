import fs, { readdir, readFile } from "node:fs/promises";
import { syncBuiltinESMExports } from "node:module";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { afterAll, afterEach, beforeAll, expect, it, vi } from "vitest";
import { createClient, useTestApp } from "#test/app.ts";
import { makeVideo, changeVideo } from "#test/factories/make-video.ts";
import { startCommitProxy, type CommitProxy } from "#test/harness/commit-proxy.ts";
import { faststart, plain } from "#test/sample-videos.ts";
import { sourceKey } from "#server/storage/media-keys.ts";

let proxy: CommitProxy;
let cookie = "";
let clip: Buffer;
const app = useTestApp({
  logLevel: "silent",
  async targetOf(target) {
    proxy = await startCommitProxy(target);
    return proxy.target;
  },
});
beforeAll(async () => {
  cookie = await app.signIn();
  clip = await readFile(await plain());
});
afterAll(async () => {
  await proxy.stop();
});
/** Number of responses that the test expects to lose. */
let expectedLosses = 0;
afterEach(() => {
  if (proxy.lost() !== expectedLosses) throw new Error("the proxy lost no response");
});

function loseNext(statement: string): void {
  expectedLosses += 1;
  proxy.loseResponse(statement);
}

const headers = () => ({ cookie, origin: app.url });

const listSources = () => readdir(join(app.dataDir, "storage/objects/sources"));

function formOf(fields: Record<string, string>, file: Buffer | null): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.set(name, value);
  if (file !== null) form.set("video", new Blob([new Uint8Array(file)]), "clip.mp4");
  return form;
}

const post = (path: string, body: FormData) =>
  fetch(app.url + path, { method: "POST", headers: headers(), body });

async function readOriginal(id: string): Promise<Buffer> {
  const response = await fetch(`${app.url}/api/admin/videos/${id}/original`, {
    headers: headers(),
  });
  expect(response.status).toBe(200);
  return Buffer.from(await response.arrayBuffer());
}

/** Sends a file by tus. @returns its id. */
async function sendByTus(file: Buffer): Promise<string> {
  const tus = { ...headers(), "tus-resumable": "1.0.0" };
  const created = await fetch(`${app.url}/api/uploads`, {
    method: "POST",
    headers: { ...tus, "upload-length": String(file.length) },
  });
  const path = new URL(created.headers.get("location") ?? "", `${app.url}/api/uploads/`).pathname;
  const sent = await fetch(app.url + path, {
    method: "PATCH",
    headers: {
      ...tus,
      "upload-offset": "0",
      "content-type": "application/offset+octet-stream",
    },
    body: new Uint8Array(file),
  });
  expect(sent.status).toBe(204);
  return path.split("/").at(-1) ?? "";
}

async function addReadyVideo(): Promise<string> {
  const { id } = await makeVideo(app.db, { status: "ready", progress: 1 });
  await app.context.storage.putBytes(sourceKey(id), "the old original");
  await changeVideo(app.db, id, { source_key: sourceKey(id), source_bytes: 16 });
  return id;
}

it("responds with 201 and keeps the source when the response to the commit of an upload is lost", async () => {
  loseNext('insert into "videos"');
  const response = await post("/api/videos", formOf({ title: "Multipart" }, clip));
  expect(response.status).toBe(201);
  const { id } = await response.json();
  expect(await readOriginal(id)).toEqual(clip);
});

it("responds with 201 and keeps the source of a resumable upload, even if the form is repeated", async () => {
  const uploadId = await sendByTus(clip);
  loseNext('insert into "videos"');
  const response = await post("/api/videos", formOf({ title: "By tus", uploadId }, null));
  expect(response.status).toBe(201);
  const again = await post("/api/videos", formOf({ title: "By tus", uploadId }, null));
  expect(again.status).toBe(201);
  const [first, second] = [await response.json(), await again.json()];
  expect([first.id, second.id]).toEqual([uploadId, uploadId]);
  expect(await readOriginal(uploadId)).toEqual(clip);
});

it("stores a resumable upload on a file system that has no hard links", async () => {
  const uploadId = await sendByTus(clip);
  const error = Object.assign(new Error("no links"), { code: "ENOTSUP" });
  const link = vi.spyOn(fs, "link").mockRejectedValue(error);
  syncBuiltinESMExports();
  try {
    const response = await post("/api/videos", formOf({ title: "By tus", uploadId }, null));
    expect(response.status).toBe(201);
    expect(link).toHaveBeenCalled();
  } finally {
    link.mockRestore();
    syncBuiltinESMExports();
  }
  expect(await readOriginal(uploadId)).toEqual(clip);
  expect(await readdir(join(app.dataDir, "uploads"))).toEqual([]);
});

it("responds with 202 and keeps the new file when the response to the commit of a replacement is lost", async () => {
  const id = await addReadyVideo();
  const before = await listSources();
  loseNext('insert into "video_replacements"');
  const file = await readFile(await faststart());
  const response = await post(`/api/admin/videos/${id}/file`, formOf({}, file));
  expect(response.status).toBe(202);
  const added = (await listSources()).filter((name) => !before.includes(name));
  expect(added).toHaveLength(1);
  const { source_key: key } = await app.db
    .selectFrom("video_replacements")
    .select("source_key")
    .where("video_id", "=", id)
    .executeTakeFirstOrThrow();
  expect(key).toBe(sourceKey(added[0] ?? ""));
  expect((await readOriginal(id)).toString()).toBe("the old original");
});

it("responds with 200 and keeps the original when the response to the commit of a reprocess is lost", async () => {
  const id = await addReadyVideo();
  loseNext('insert into "video_replacements"');
  const admin = createClient(app.url, cookie);
  const { status } = await admin.call("POST", `/api/videos/${id}/reprocess`);
  expect(status).toBe(200);
  expect((await readOriginal(id)).toString()).toBe("the old original");
  const open = await app.db
    .selectFrom("video_replacements")
    .select(["is_renewal"])
    .where("video_id", "=", id)
    .execute();
  expect(open).toEqual([{ is_renewal: true }]);
});

it("leaves no file behind if the database refuses an upload", async () => {
  const before = await listSources();
  const missing = formOf({ title: "Refused", uploadId: "" }, Buffer.from("not a video"));
  expect((await post("/api/videos", missing)).status).toBe(415);
  const id = await addReadyVideo();
  await changeVideo(app.db, id, { status: "processing" });
  const busy = await post(`/api/admin/videos/${id}/file`, formOf({}, clip));
  expect(busy.status).toBe(409);
  await wait(0);
  expect((await listSources()).filter((name) => !before.includes(name))).toEqual([id]);
});
