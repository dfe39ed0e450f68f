import { expect, it } from "vitest";
import { createClient, useTestApp, useClient } from "#test/app.ts";
import { encodeClip } from "#test/clip-cache.ts";
import { h264, plain, videoForm } from "#test/sample-videos.ts";

const app = useTestApp({ logLevel: "silent" });
const admin = useClient(app);
const moderator = useClient(app, "MODERATOR");

/** Every frame differs from the others, and compression preserves its shapes. */
const original = () =>
  encodeClip("blocked.mp4", [
    ...["-f", "lavfi", "-i", "mandelbrot=s=320x180:r=10:start_scale=2:end_scale=0.1:end_pts=20"],
    ...["-t", "2", ...h264, "-crf", "18"],
  ]);

async function process(title: string, path: string): Promise<{ id: string; isPublished: boolean }> {
  const { id } = await upload(title, path);
  for (const name of ["video.publish", "video.encode"] as const) {
    await app.runJob(name, { videoId: id });
  }
  return (await admin.call("GET", `/api/videos/${id}`)).json;
}

async function upload(title: string, path: string): Promise<{ id: string }> {
  const { status, json } = await admin.call(
    "POST",
    "/api/videos",
    await videoForm(path, { title }),
  );
  expect(status).toBe(201);
  return json;
}

/** Publishes a video and blocks its file. */
async function block(videoId: string): Promise<void> {
  await admin.call("PUT", `/api/videos/${videoId}`, { isPublished: true });
  await createClient(app.url).call("POST", `/api/videos/${videoId}/reports`, { reason: "illegal" });
  const [{ id }] = await reportsOf(videoId);
  const action = { action: "block" };
  const decided = await moderator.call("POST", `/api/admin/reports/${id}/action`, action);
  expect(decided.json.outcome).toBe("blocked");
}

async function reportsOf(id: string) {
  const { json } = await moderator.call("GET", "/api/admin/reports?limit=100");
  return json.reports.filter((each: { video: { id: string } }) => each.video.id === id);
}

it("reports only copies of a blocked file to the moderators", async () => {
  const source = await original();
  const blocked = await process("Blocked", source);
  await block(blocked.id);

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
  await app.runJob("video.encode", { videoId: copy.id });
  expect(await reportsOf(copy.id)).toHaveLength(1);

  const other = await process("Other", await plain());
  expect(await reportsOf(other.id)).toEqual([]);
});

it("reports copies of a file that was blocked before its pictures were made", async () => {
  const fractal = "mandelbrot=s=320x180:r=10:start_scale=0.6:end_pts=20";
  const clip = (name: string, options: string[]) =>
    encodeClip(name, [
      ...["-f", "lavfi", "-i", `${fractal}:start_x=-1.2:start_y=0.1:end_scale=0.02`],
      ...["-t", "2", ...options],
    ]);
  const { id } = await upload(
    "Blocked at once",
    await clip("at-once.mp4", [...h264, "-crf", "18"]),
  );
  // A report needs a video that plays. The pictures are made in the next step.
  const { db } = app.database;
  await db
    .updateTable("videos")
    .set({ status: "ready", duration_s: 2, width: 320, height: 180 })
    .where("id", "=", id)
    .execute();
  await block(id);
  const copy = await process("Late copy", await clip("late-copy.mp4", [...h264, "-crf", "30"]));
  expect(await reportsOf(copy.id)).toMatchObject([{ reason: "similar", text: "Blocked at once" }]);
});
