import { createHash } from "node:crypto";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { sql } from "kysely";
import { beforeEach, describe, expect, it } from "vitest";
import { createClient, useTestApp, useClient } from "#test/app.ts";
import { countLockWaits } from "#test/harness/lock-waits.ts";
import { makeUser } from "#test/factories/make-user.ts";
import { makeVideo } from "#test/factories/make-video.ts";
import { systemClock } from "#server/lib/clock.ts";
import { newId, newToken, sha256 } from "#server/lib/ids.ts";
import { isSenderConfirmed } from "./report-senders.repository.ts";
import { createBlockedFilesService } from "./blocked-files.service.ts";

let clientNumber = 0;

const app = useTestApp({ env: { TRUST_PROXY: "127.0.0.1" } });
const moderator = useClient(app, "MODERATOR");
const analyst = useClient(app, "ANALYST");
beforeEach(() => {
  clientNumber += 1;
});

const send = (path: string, body: unknown, address = `10.1.${clientNumber}.1`) =>
  createClient(app.url).call("POST", path, body, { "x-forwarded-for": address });
const report = (idOrSlug: string, body: object = { reason: "illegal" }, address?: string) =>
  send(`/api/videos/${idOrSlug}/reports`, body, address);

const notice = {
  ground: "copyright",
  text: "My work, at example.com",
  name: "Ada Loom",
  organisation: "Loom Pictures",
  email: "ada@example.com",
  isInGoodFaith: true,
  isAccurate: true,
  signature: "Ada Loom",
};

async function reportsOf(videoId: string) {
  const { json } = await moderator.call("GET", "/api/admin/reports?limit=100");
  return json.reports.filter((each: { video: { id: string } }) => each.video.id === videoId);
}

const hostile = [
  `<script>alert(1)</script><img src=x onerror=alert(1)>`,
  "דיווח על הסרטון \u202eמשמאל לימין",
  "x".repeat(4000),
];

describe("a report", () => {
  it.each(hostile)("keeps its text unchanged (%#)", async (text) => {
    const video = await makeVideo(app.db);
    const sent = await report(video.slug, { reason: "other", text, email: "me@example.com" });
    expect(sent.status).toBe(201);
    const [stored] = await reportsOf(video.id);
    expect(stored).toMatchObject({ text, reason: "other", state: "open", kind: "report" });
    expect(sent.json).toEqual({ reference: stored.id });
  });

  it("refuses a text that is too long, an unknown reason, and videos that visitors cannot see", async () => {
    const video = await makeVideo(app.db);
    const long = await report(video.id, { reason: "other", text: "x".repeat(10_000) });
    expect([long.status, long.json.message]).toEqual([400, "At most 4000 characters"]);
    expect((await report(video.id, { reason: "dislike" })).json.message).toBe("Choose a reason");
    expect((await report(video.id, { reason: "other", email: "x" })).status).toBe(400);
    const draft = await makeVideo(app.db, { is_published: false });
    expect((await report(draft.id)).status).toBe(404);
    expect(await reportsOf(video.id)).toEqual([]);
  });

  it("limits reports per address without storing addresses", async () => {
    const video = await makeVideo(app.db);
    for (let n = 0; n < 3; n += 1) expect((await report(video.id)).status).toBe(201);
    const refused = await report(video.id);
    expect(refused.status).toBe(429);
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(60);
    expect((await report(video.id, undefined, "10.2.0.1")).status).toBe(201);
    await app.db
      .updateTable("reports")
      .set({ created_at: new Date(Date.now() - 25 * 3600_000) })
      .where("video_id", "=", video.id)
      .execute();
    expect((await report(video.id)).status).toBe(201);
    const kept = await app.db
      .selectFrom("reports")
      .select("address_key")
      .where("video_id", "=", video.id)
      .execute();
    expect(kept.filter((row) => row.address_key !== null)).toHaveLength(1);
  });

  it("limits the reports of an address group", async () => {
    const video = await makeVideo(app.db);
    const statusFrom = async (address: string) =>
      (await report(video.id, undefined, address)).status;
    await app.db.deleteFrom("write_counts").execute();
    expect(await statusFrom("2001:db8:7::1")).toBe(201);
    await app.db.updateTable("write_counts").set({ writes: 199 }).execute();
    expect(await statusFrom("2001:db8:7:1::1")).toBe(201);
    expect(await statusFrom("2001:db8:7:2::1")).toBe(429);
    expect(await statusFrom("2001:db8:8::1")).toBe(201);
  });

  it("accepts a form without scripts and redirects back to its page", async () => {
    const video = await makeVideo(app.db);
    const post = (body: string, referer = "") =>
      fetch(`${app.url}/api/videos/${video.slug}/reports`, {
        method: "POST",
        redirect: "manual",
        headers: { "content-type": "application/x-www-form-urlencoded", referer },
        body,
      });
    const sent = await post("reason=privacy&text=%D7%A9&email=");
    expect([sent.status, sent.headers.get("location")]).toEqual([
      303,
      `/report/${video.slug}?sent=1`,
    ]);
    expect(await reportsOf(video.id)).toMatchObject([
      { reason: "privacy", text: "ש", email: null },
    ]);
    const wrong = await post("text=x");
    expect(wrong.headers.get("location")).toBe(`/report/${video.slug}?error=invalid`);
    const inArabic = await post("reason=other&text=x", `${app.url}/ar/report/${video.slug}`);
    expect(inArabic.headers.get("location")).toBe(`/ar/report/${video.slug}?sent=1`);
  });
});

describe("the queue", () => {
  it("shows analysts everything except the sender but doesn't let them change anything", async () => {
    const video = await makeVideo(app.db);
    await report(video.id, { reason: "other", email: "secret@example.com" });
    const [{ id }] = await reportsOf(video.id);
    const seen = await analyst.call("GET", `/api/admin/reports/${id}`);
    expect([seen.status, seen.json.email, seen.text.includes("secret")]).toEqual([
      200,
      null,
      false,
    ]);
    for (const [method, path, body] of [
      ["PUT", "", { state: "in_review" }],
      ["POST", "/notes", { text: "x" }],
      ["POST", "/action", { action: "dismiss" }],
      ["DELETE", "", undefined],
    ] as const) {
      const refused = await analyst.call(method, `/api/admin/reports/${id}${path}`, body);
      expect(refused.status).toBe(403);
    }
  });

  it("assigns a report, adds notes, dismisses it and reopens it", async () => {
    const video = await makeVideo(app.db);
    await report(video.id);
    const [{ id }] = await reportsOf(video.id);
    const { json: users } = await moderator.call("GET", "/api/admin/reports/assignees");
    const path = `/api/admin/reports/${id}`;
    const assigneeId = users[0].id;
    const taken = await moderator.call("PUT", path, { state: "in_review", assigneeId });
    expect(taken.json).toMatchObject({ state: "in_review", assignee: { id: assigneeId } });
    const same = await moderator.call("PUT", path, {});
    expect([same.status, same.json.state]).toEqual([200, "in_review"]);
    const wrong = await moderator.call("PUT", path, { assigneeId: newId() });
    expect(wrong.status).toBe(400);
    const noted = await moderator.call("POST", `${path}/notes`, { text: hostile[1] });
    expect(noted.json.notes).toMatchObject([{ text: hostile[1] }]);
    const done = await moderator.call("POST", `${path}/action`, { action: "dismiss" });
    expect(done.json).toMatchObject({ state: "resolved", outcome: "dismissed" });
    expect((await createClient(app.url).call("GET", `/api/videos/${video.id}`)).status).toBe(200);
    const twice = await moderator.call("POST", `${path}/action`, { action: "dismiss" });
    expect(twice.status).toBe(409);
    const again = await moderator.call("PUT", path, { state: "open" });
    expect(again.json).toMatchObject({ state: "open", outcome: null, resolvedAt: null });
  });

  it("is unassigned when its assignee is disabled or may no longer handle reports", async () => {
    const owner = createClient(app.url, await app.signIn("OWNER"));
    const video = await makeVideo(app.db);
    for (const [n, change] of [{ isDisabled: true }, { role: "EDITOR" }].entries()) {
      await report(video.id, undefined, `10.5.0.${n}`);
      const { id: assigneeId } = await makeUser(app.db, { role: "MODERATOR" });
      const [{ id }] = await reportsOf(video.id);
      await moderator.call("PUT", `/api/admin/reports/${id}`, { assigneeId });
      expect((await owner.call("PUT", `/api/admin/people/${assigneeId}`, change)).status).toBe(200);
      const { json } = await moderator.call("GET", `/api/admin/reports/${id}`);
      expect(json.assignee).toBeNull();
      await moderator.call("POST", `/api/admin/reports/${id}/action`, { action: "dismiss" });
    }
  });

  it("is unassigned when it is reopened and its assignee may no longer handle reports", async () => {
    const owner = createClient(app.url, await app.signIn("OWNER"));
    const video = await makeVideo(app.db);
    for (const [n, change] of [{}, { isDisabled: true }, { role: "EDITOR" }].entries()) {
      await report(video.id, undefined, `10.6.0.${n}`);
      const { id: assigneeId } = await makeUser(app.db, { role: "MODERATOR" });
      const [{ id }] = await reportsOf(video.id);
      const path = `/api/admin/reports/${id}`;
      await moderator.call("PUT", path, { assigneeId });
      await moderator.call("POST", `${path}/action`, { action: "dismiss" });
      await owner.call("PUT", `/api/admin/people/${assigneeId}`, change);
      const { json } = await moderator.call("PUT", path, { state: "open" });
      expect(json.state).toBe("open");
      expect(json.assignee?.id ?? null).toBe(n === 0 ? assigneeId : null);
      await moderator.call("POST", `${path}/action`, { action: "dismiss" });
    }
  });

  it("isn't assigned to a user who is being disabled", async () => {
    const video = await makeVideo(app.db);
    await report(video.id);
    const { id: assigneeId } = await makeUser(app.db, { role: "MODERATOR" });
    const [{ id }] = await reportsOf(video.id);
    const assigning = await app.db.transaction().execute(async (trx) => {
      const values = { disabled_at: new Date() };
      await trx.updateTable("users").set(values).where("id", "=", assigneeId).execute();
      const response = moderator.call("PUT", `/api/admin/reports/${id}`, { assigneeId });
      await expect.poll(() => countLockWaits(app.db)).toBe(1);
      return { response };
    });
    expect((await assigning.response).status).toBe(400);
  });

  it("deletes a resolved report with its notes and its sender's address", async () => {
    const video = await makeVideo(app.db);
    const email = "Gone@example.com";
    for (const address of ["10.4.0.1", "10.4.0.2"]) {
      await report(video.id, { reason: "other", email }, address);
    }
    const asked = { token_hash: sha256("gone"), asked_at: new Date(), confirmed_at: new Date() };
    const sender = { email: "gone@example.com", mailbox: "gone@example.com", ...asked };
    await app.db.insertInto("report_senders").values(sender).execute();
    const [first, second] = await reportsOf(video.id);
    const pathOf = ({ id }: { id: string }) => `/api/admin/reports/${id}`;
    await moderator.call("POST", `${pathOf(first)}/notes`, { text: "Called them" });
    expect((await moderator.call("DELETE", pathOf(first))).status).toBe(409);
    await moderator.call("POST", `${pathOf(first)}/action`, { action: "dismiss", all: true });
    expect((await moderator.call("DELETE", pathOf(first))).status).toBe(204);
    expect((await moderator.call("DELETE", pathOf(first))).status).toBe(404);
    expect(await isSenderConfirmed(app.db, email)).toBe(true);
    expect((await moderator.call("DELETE", pathOf(second))).status).toBe(204);
    expect(await reportsOf(video.id)).toEqual([]);
    const { rows } = await sql`
      select email as found from report_senders where email = 'gone@example.com'
      union all select text from report_notes where report_id = ${first.id}
      union all select action from audit_log
        where entity_id = ${second.id} and action = 'report.deleted'`.execute(app.db);
    expect(rows).toEqual([{ found: "report.deleted" }]);
  });

  it("unpublishes a video, and resolves all its reports with it", async () => {
    const video = await makeVideo(app.db);
    for (const address of ["10.3.0.1", "10.3.0.2"]) await report(video.id, undefined, address);
    const [{ id, others }] = await reportsOf(video.id);
    expect(others).toBe(1);
    await moderator.call("POST", `/api/admin/reports/${id}/action`, { action: "unpublish" });
    const after = await reportsOf(video.id);
    expect(after.map((each: { outcome: string }) => each.outcome)).toEqual([
      "unpublished",
      "unpublished",
    ]);
    expect(after[0].video).toMatchObject({ isPublished: false, isRemoved: false });
    expect((await createClient(app.url).call("GET", `/api/videos/${video.id}`)).status).toBe(404);
  });

  it("cancels the schedule of a draft when it unpublishes", async () => {
    const video = await makeVideo(app.db);
    await report(video.id);
    const [{ id }] = await reportsOf(video.id);
    const owner = createClient(app.url, await app.signIn("OWNER"));
    await owner.call("PUT", `/api/videos/${video.id}`, { isPublished: false });
    const publishAt = new Date(Date.now() + 3600_000).toISOString();
    await owner.call("PUT", `/api/admin/videos/${video.id}/schedule`, { publishAt });
    await moderator.call("POST", `/api/admin/reports/${id}/action`, { action: "unpublish" });
    const row = await app.db
      .selectFrom("videos")
      .select(["publish_at", "publish_planned_by"])
      .where("id", "=", video.id)
      .executeTakeFirst();
    expect(row).toEqual({ publish_at: null, publish_planned_by: null });
    const entries = await app.db
      .selectFrom("audit_log")
      .select(["action", "before"])
      .where("entity_id", "=", video.id)
      .orderBy("id")
      .execute();
    expect(entries.at(-1)).toMatchObject({ action: "video.unscheduled", before: { publishAt } });
  });

  it("removes a video from the trash for good", async () => {
    const video = await makeVideo(app.db);
    const keys = [`sources/${video.id}`, `v/${video.media_token}/x.mp4`];
    for (const key of keys) await app.context.storage.putBytes(key, Buffer.from("bytes"));
    await report(video.id);
    const [{ id }] = await reportsOf(video.id);
    const owner = createClient(app.url, await app.signIn("OWNER"));
    await owner.call("DELETE", `/api/videos/${video.id}`);
    expect((await owner.call("GET", "/api/admin/trash")).text).toContain(video.id);
    const done = await moderator.call("POST", `/api/admin/reports/${id}/action`, {
      action: "remove",
    });
    expect(done.json).toMatchObject({ outcome: "removed" });
    const restored = await owner.call("POST", `/api/admin/trash/${video.id}/restore`);
    expect(restored.status).toBe(404);
    for (const key of keys) expect(await app.context.storage.findStat(key)).toBeNull();
  });

  it("removes a video and refuses the same file but no other file of that size", async () => {
    const video = await makeVideo(app.db, { title: "Taken down" });
    const bytes = Buffer.from("these bytes may not come again");
    await mkdir(join(app.dataDir, "media/sources"), { recursive: true });
    await app.context.storage.putBytes(`sources/${video.id}`, bytes);
    await report(video.id);
    const [{ id }] = await reportsOf(video.id);
    const path = `/api/admin/reports/${id}/action`;
    const done = await moderator.call("POST", path, { action: "block" });
    expect(done.json).toMatchObject({ outcome: "blocked", video: { isRemoved: true } });
    expect(await app.context.storage.findStat(`sources/${video.id}`)).toBeNull();

    const files = createBlockedFilesService({
      ...app.database,
      clock: systemClock,
      videos: { ...app.context.videos, find: async () => null },
      onReport: () => undefined,
    });
    const hash = createHash("sha256").update(bytes).digest();
    const sha256 = hash.toString("hex");
    await expect(files.refuse(hash)).rejects.toMatchObject({ code: "unusable_video" });
    await files.refuse(createHash("sha256").update("other bytes").digest());

    const list = await analyst.call("GET", "/api/admin/blocked-files");
    expect(list.json).toMatchObject([{ sha256, videoTitle: "Taken down" }]);
    const allow = `/api/admin/blocked-files/${sha256}`;
    expect((await analyst.call("DELETE", allow)).status).toBe(403);
    expect((await moderator.call("DELETE", allow)).status).toBe(204);
    expect((await moderator.call("DELETE", allow)).status).toBe(404);
    await files.refuse(hash);
    const audit = await app.db
      .selectFrom("audit_log")
      .select("action")
      .where("entity_id", "in", [id, video.id, sha256])
      .orderBy("id")
      .execute();
    expect(audit.map(({ action }) => action)).toEqual([
      "report.resolved",
      "video.deleted",
      "file.allowed",
    ]);
  });

  it("blocks a file by its stored hash without reading the file", async () => {
    const hash = { source_sha256: sha256("original"), source_bytes: 12 };
    const video = await makeVideo(app.db, hash);
    await report(video.id);
    const [{ id }] = await reportsOf(video.id);
    const path = `/api/admin/reports/${id}/action`;
    expect((await moderator.call("POST", path, { action: "block" })).status).toBe(200);
    const { json } = await analyst.call("GET", "/api/admin/blocked-files");
    const blocked = { sha256: hash.source_sha256.toString("hex"), sizeBytes: 12 };
    expect(json).toContainEqual(expect.objectContaining(blocked));
  });

  it("lists 500 reports a page at a time, the oldest first", async () => {
    await app.db.deleteFrom("reports").execute();
    const video = await makeVideo(app.db);
    const start = Date.now() - 3600_000;
    await app.db
      .insertInto("reports")
      .values(
        Array.from({ length: 500 }, (_, n) => ({
          id: newId(),
          kind: "report" as const,
          video_id: video.id,
          video_title: video.title,
          video_slug: video.slug,
          reason: "other",
          text: `Number ${n}`,
          email: null,
          notice: null,
          outcome: null,
          assigned_to: null,
          address_key: null,
          created_at: new Date(start + n * 1000),
        })),
      )
      .execute();
    const page = await moderator.call("GET", "/api/admin/reports?state=unresolved&offset=490");
    expect(page.json).toMatchObject({ total: 500, open: 500 });
    expect(page.json.reports.at(-1)).toMatchObject({ text: "Number 499", others: 499 });
    const all = { action: "dismiss", all: true };
    await moderator.call("POST", `/api/admin/reports/${page.json.reports[0].id}/action`, all);
    const left = await moderator.call("GET", "/api/admin/reports?state=unresolved");
    expect(left.json).toEqual({ reports: [], total: 0, open: 0 });
  });
});

describe("a takedown notice", () => {
  it("opens a report for each video it lists and logs the outcome", async () => {
    const videos = [
      await makeVideo(app.db),
      await makeVideo(app.db, { slug: "night-walk" }),
      await makeVideo(app.db, { slug: "day-walk" }),
    ];
    const addresses = `https://mirror.example/ar/video/${videos[0]?.slug}?t=3
      /embed/night%2Dwalk
      mirror.example/de/feed/day-walk`;
    const sent = await send("/api/takedowns", { ...notice, addresses });
    expect(sent.status).toBe(201);
    const [first] = await reportsOf(videos[0]?.id ?? "");
    const [second] = await reportsOf(videos[1]?.id ?? "");
    const [third] = await reportsOf(videos[2]?.id ?? "");
    expect(first).toMatchObject({
      kind: "takedown",
      reason: "copyright",
      email: "ada@example.com",
      notice: { name: "Ada Loom", organisation: "Loom Pictures", signature: "Ada Loom" },
    });
    const visitor = createClient(app.url);
    expect((await visitor.call("GET", "/api/takedowns")).status).toBe(404);
    await moderator.call("POST", `/api/admin/reports/${first.id}/action`, { action: "remove" });
    for (const { id } of [second, third]) {
      await moderator.call("POST", `/api/admin/reports/${id}/action`, { action: "dismiss" });
    }
    const owner = createClient(app.url, await app.signIn("OWNER"));
    await owner.call("POST", "/api/settings", { takedownLog: true });
    const log = await visitor.call("GET", "/api/takedowns");
    expect(log.json).toMatchObject([
      { title: videos[0]?.title, ground: "copyright", sender: "Loom Pictures", outcome: "removed" },
    ]);
    expect(log.text).not.toContain("ada@example.com");
    expect(log.text).not.toContain("Ada Loom");
  });

  it("accepts a private link until it expires", async () => {
    const link = { link_secret: newToken(), link_expires_at: null };
    const video = await makeVideo(app.db, { visibility: "private", ...link });
    const notify = () =>
      send("/api/takedowns", { ...notice, addresses: `/de/private/${link.link_secret}` });
    expect((await notify()).status).toBe(201);
    expect(await reportsOf(video.id)).toMatchObject([{ kind: "takedown" }]);
    await app.db
      .updateTable("videos")
      .set({ link_expires_at: new Date(0) })
      .where("id", "=", video.id)
      .execute();
    expect((await notify()).status).toBe(400);
  });

  it("reports the address that has no video and the missing fields", async () => {
    const video = await makeVideo(app.db);
    const addresses = `/video/${video.slug} https://example.com/watch?v=1`;
    const wrong = await send("/api/takedowns", { ...notice, addresses });
    expect(wrong.json.issues).toEqual([
      {
        path: "addresses",
        message: "This URL isn't a video on this site: https://example.com/watch?v=1",
      },
    ]);
    const { isAccurate: _, ...unconfirmed } = notice;
    const missing = await send("/api/takedowns", { ...unconfirmed, addresses: video.slug });
    expect([missing.status, missing.json.message]).toEqual([400, "This must be confirmed"]);
    expect(await reportsOf(video.id)).toEqual([]);
  });
});
