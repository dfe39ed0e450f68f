import { readFile } from "node:fs/promises";
import { afterAll, beforeAll, expect, it } from "vitest";
import { createClient, startTestApp, type TestApp } from "#test/app.ts";
import { encodeClip } from "#test/clip-cache.ts";
import { h264, plain } from "#test/sample-videos.ts";

let app: TestApp;
let cookie: string;
let moderator: ReturnType<typeof createClient>;
beforeAll(async () => {
  app = await startTestApp({ logLevel: "silent" });
  cookie = await app.signIn();
  moderator = createClient(app.url, await app.signIn("MODERATOR"));
});
afterAll(() => app.stop());

/** Every frame differs from the others, and compression preserves its shapes. */
const original = () =>
  encodeClip("blocked.mp4", [
    ...["-f", "lavfi", "-i", "mandelbrot=s=320x180:r=10:start_scale=2:end_scale=0.1:end_pts=20"],
    ...["-t", "2", ...h264, "-crf", "18"],
  ]);

async function process(title: string, path: string): Promise<{ id: string; isPublished: boolean }> {
  const form = new FormData();
  form.set("title", title);
  form.set("video", new Blob([await readFile(path)]), "clip.mp4");
  const response = await fetch(`${app.url}/api/videos`, {
    method: "POST",
    headers: { cookie, origin: app.url },
    body: form,
  });
  expect(response.status).toBe(201);
  const { id } = await response.json();
  for (const name of ["video.publish", "video.encode"]) {
    const job = app.context.jobs.find((each) => each.name === name);
    await job?.run({ videoId: id, waits: 0 }, { signal: new AbortController().signal });
  }
  return (await createClient(app.url, cookie).call("GET", `/api/videos/${id}`)).json;
}

async function reportsOf(id: string) {
  const { json } = await moderator.call("GET", "/api/admin/reports?limit=100");
  return json.reports.filter((each: { video: { id: string } }) => each.video.id === id);
}

it("reports only copies of a blocked file to the moderators", async () => {
  const source = await original();
  const blocked = await process("Blocked", source);
  await createClient(app.url, cookie).call("PUT", `/api/videos/${blocked.id}`, {
    isPublished: true,
  });
  await createClient(app.url).call("POST", `/api/videos/${blocked.id}/reports`, {
    reason: "illegal",
  });
  const [{ id }] = await reportsOf(blocked.id);
  const action = { action: "block" };
  const decided = await moderator.call("POST", `/api/admin/reports/${id}/action`, action);
  expect(decided.json.outcome).toBe("blocked");

  const smaller = await encodeClip("smaller.webm", [
    ...["-i", source, "-vf", "scale=256:144", "-r", "5", "-c:v", "libvpx-vp9", "-b:v", "120k"],
    ...["-deadline", "realtime", "-cpu-used", "8"],
  ]);
  const copy = await process("Copy", smaller);
  expect(copy).toMatchObject({ status: "ready" });
  expect(await reportsOf(copy.id)).toMatchObject([
    { kind: "report", reason: "similar", text: "Blocked", state: "open", email: null },
  ]);
  // Processing that runs again files no second report.
  const { db } = app.database;
  const values = { preview_key: null, progress: 0.5 };
  await db.updateTable("videos").set(values).where("id", "=", copy.id).execute();
  const job = app.context.jobs.find(({ name }) => name === "video.encode");
  await job?.run({ videoId: copy.id, waits: 0 }, { signal: new AbortController().signal });
  expect(await reportsOf(copy.id)).toHaveLength(1);

  const other = await process("Other", await plain());
  expect(await reportsOf(other.id)).toEqual([]);
});
