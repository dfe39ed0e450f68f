import { createHmac } from "node:crypto";
import { once } from "node:events";
import {
  createServer,
  type IncomingHttpHeaders,
  type Server,
  type ServerResponse,
} from "node:http";
import { setTimeout as wait } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createClient, useTestApp, useClient } from "#test/app.ts";
import type { Trx } from "#server/db/connection.ts";
import { makeDraft, makeVideo, changeVideo } from "#test/factories/make-video.ts";
import { takeDue } from "./deliveries.repository.ts";

let server: Server;
let address = "";
/** Requests that the receiver got, and the status with which it responds. */
const inbox: { headers: IncomingHttpHeaders; body: string }[] = [];
let status = 204;
let now = Date.now();

const app = useTestApp({
  env: { WEBHOOK_NETWORKS: "127.0.0.0/8" },
  clock: { now: () => now, date: () => new Date(now) },
});
const admin = useClient(app);
beforeAll(async () => {
  server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on("data", (part: Buffer) => parts.push(part));
    request.on("end", () => {
      inbox.push({ headers: request.headers, body: Buffer.concat(parts).toString() });
      response.writeHead(status, { location: "http://127.0.0.1/elsewhere" }).end();
    });
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const bound = server.address();
  address = `http://127.0.0.1:${typeof bound === "object" && bound !== null ? bound.port : 0}/hook`;
});
afterAll(() => {
  server.close();
});

/** Runs the webhook job once. */
async function deliver() {
  // The database stamps new messages with its own clock.
  now = Math.max(now, Date.now()) + 1000;
  await app.runJob("webhooks.deliver");
}

async function addWebhook(events: string[], url = address) {
  const { status: code, json } = await admin.call("POST", "/api/admin/webhooks", { url, events });
  expect(code).toBe(201);
  const { webhook, secret } = json;
  return {
    id: webhook.id,
    secret,
    log: async () => (await admin.call("GET", `/api/admin/webhooks/${webhook.id}/deliveries`)).json,
    remove: () => admin.call("DELETE", `/api/admin/webhooks/${webhook.id}`),
  };
}

describe("a webhook", () => {
  it("receives the changes of a video in order, signed with its secret", async () => {
    const hook = await addWebhook([
      "video.ready",
      "video.published",
      "video.removed",
      "video.failed",
      "report.opened",
    ]);
    const video = await makeDraft(app.db, { title: "<b>עברית</b>", status: "processing" });
    await changeVideo(app.db, video.id, { status: "ready" });
    await admin.call("PUT", `/api/videos/${video.id}`, { isPublished: true });
    await createClient(app.url).call("POST", `/api/videos/${video.id}/reports`, {
      reason: "other",
      text: "private words",
      email: "me@example.com",
    });
    await changeVideo(app.db, video.id, { status: "failed", failure_reason: "It broke." });
    await admin.call("DELETE", `/api/videos/${video.id}`);
    inbox.length = 0;
    await deliver();
    const messages = inbox.map(({ body }) => JSON.parse(body));
    expect(messages.map(({ event }) => event).toSorted()).toEqual([
      "report.opened",
      "video.failed",
      "video.published",
      "video.ready",
      "video.removed",
    ]);
    expect(messages.find(({ event }) => event === "video.failed").data).toEqual({
      video: { id: video.id, slug: video.slug, title: "<b>עברית</b>" },
      reason: "It broke.",
    });
    const all = JSON.stringify(messages);
    expect(all).not.toContain("me@example.com");
    expect(all).not.toContain("private words");
    for (const { headers, body } of inbox) {
      const [, seconds = "", hash = ""] =
        /^t=(\d+),v1=([0-9a-f]{64})$/.exec(String(headers["kinora-signature"])) ?? [];
      const expected = createHmac("sha256", hook.secret).update(`${seconds}.${body}`);
      expect(hash).toBe(expected.digest("hex"));
      expect(headers["kinora-delivery"]).toBe(JSON.parse(body).id);
    }
    const log = await hook.log();
    expect(log.every((entry: { state: string }) => entry.state === "delivered")).toBe(true);
    const [listed] = (await admin.call("GET", "/api/admin/webhooks")).json;
    expect(listed).toMatchObject({ delivered: 5, failed: 0 });
    expect(JSON.stringify(listed)).not.toContain(hook.secret);
    await hook.remove();
  });

  it("retries at growing intervals, fails after a day, and can be resent", async () => {
    const hook = await addWebhook(["video.removed"]);
    const video = await makeVideo(app.db);
    await admin.call("DELETE", `/api/videos/${video.id}`);
    status = 500;
    inbox.length = 0;
    await deliver();
    let [entry] = await hook.log();
    expect(entry).toMatchObject({ state: "waiting", attempts: 1, status: 500 });
    await deliver();
    expect(inbox).toHaveLength(1);
    let waitedMs = 0;
    for (let n = 0; n < 7; n += 1) {
      waitedMs += Date.parse(entry.nextAt) - now;
      now = Math.max(now, Date.parse(entry.nextAt));
      await deliver();
      [entry] = await hook.log();
    }
    expect(entry).toMatchObject({ state: "failed", attempts: 8, problem: "The response was 500." });
    expect(waitedMs / 3600_000).toBeGreaterThan(20);
    expect(inbox).toHaveLength(8);
    expect(new Set(inbox.map(({ headers }) => headers["kinora-delivery"])).size).toBe(1);
    status = 200;
    const again = `/api/admin/webhooks/deliveries/${entry.id}/again`;
    expect((await admin.call("POST", again)).status).toBe(202);
    await deliver();
    expect(await hook.log()).toMatchObject([{ state: "delivered", attempts: 1, status: 200 }]);
    const { json } = await admin.call("GET", "/api/admin/audit?action=webhook.resent");
    expect(json.entries).toMatchObject([
      { entityId: hook.id, after: { name: address, event: "video.removed" } },
    ]);
    await hook.remove();
  });

  it("follows no redirects and calls only allowed addresses", async () => {
    const hooks = [
      await addWebhook(["video.removed"]),
      await addWebhook(["video.removed"], "http://169.254.169.254/latest"),
      await addWebhook(["video.removed"], "http://localhost:1/"),
    ];
    status = 302;
    inbox.length = 0;
    const video = await makeVideo(app.db);
    await admin.call("DELETE", `/api/videos/${video.id}`);
    await deliver();
    expect(inbox).toHaveLength(1);
    const logs = await Promise.all(hooks.map((hook) => hook.log()));
    expect(logs[0]).toMatchObject([{ state: "waiting", problem: "The response was 302." }]);
    expect(logs[1]).toMatchObject([{ problem: "The address is not on the public internet." }]);
    expect(logs[2]).toMatchObject([{ status: null, state: "waiting" }]);
    for (const hook of hooks) await hook.remove();
    status = 204;
  });

  it("receives the publication of a restored video, and of a new one only when it is ready", async () => {
    const hook = await addWebhook(["video.published", "video.removed"]);
    const [listed, draft] = [await makeVideo(app.db), await makeDraft(app.db)];
    await app.db.deleteFrom("webhook_deliveries").execute();
    for (const { id } of [listed, draft]) {
      await admin.call("DELETE", `/api/videos/${id}`);
      expect((await admin.call("POST", `/api/admin/trash/${id}/restore`)).status).toBe(200);
    }
    await makeVideo(app.db, { status: "processing" });
    inbox.length = 0;
    await deliver();
    const sent = inbox.map(({ body }) => JSON.parse(body));
    expect(sent.map(({ event, data }) => `${event} ${data.video.id}`).toSorted()).toEqual(
      [
        `video.published ${listed.id}`,
        `video.removed ${listed.id}`,
        `video.removed ${draft.id}`,
      ].toSorted(),
    );
    await hook.remove();
  });

  it("receives only its own events, and none while it is switched off", async () => {
    const other = await addWebhook(["video.failed"]);
    const off = await addWebhook(["video.removed"]);
    const path = `/api/admin/webhooks/${off.id}`;
    expect((await admin.call("PUT", path, { isEnabled: false })).status).toBe(204);
    const video = await makeVideo(app.db);
    await admin.call("DELETE", `/api/videos/${video.id}`);
    expect([...(await other.log()), ...(await off.log())]).toEqual([]);
    await other.remove();
    await off.remove();
  });

  it("waits for its own server only, not for that of another webhook", async () => {
    let isHanging = true;
    const hung: ServerResponse[] = [];
    const slow = createServer((_, response) => {
      if (isHanging) hung.push(response);
      else response.writeHead(204).end();
    }).listen(0, "127.0.0.1");
    await once(slow, "listening");
    const bound = slow.address();
    const port = typeof bound === "object" && bound !== null ? bound.port : 0;
    const slowHook = await addWebhook(["video.removed"], `http://127.0.0.1:${port}/`);
    for (let n = 0; n < 12; n += 1) {
      const { id } = await makeVideo(app.db);
      await admin.call("DELETE", `/api/videos/${id}`);
    }
    const hook = await addWebhook(["video.removed"]);
    for (let n = 0; n < 2; n += 1) {
      const { id } = await makeVideo(app.db);
      await admin.call("DELETE", `/api/videos/${id}`);
    }
    inbox.length = 0;
    const delivered = deliver();
    await expect.poll(() => inbox.length).toBe(2);
    expect(hung).toHaveLength(1);
    isHanging = false;
    hung[0]?.writeHead(204).end();
    await delivered;
    const log = await slowHook.log();
    expect(log.map(({ state }: { state: string }) => state)).toEqual(
      Array.from({ length: 14 }, () => "delivered"),
    );
    await hook.remove();
    await slowHook.remove();
    slow.close();
  });

  it("gives only one worker a message of a webhook", async () => {
    const hook = await addWebhook(["video.removed"]);
    for (let n = 0; n < 2; n += 1) {
      const { id } = await makeVideo(app.db);
      await admin.call("DELETE", `/api/videos/${id}`);
    }
    const start = Math.max(now, Date.now()) + 1000;
    const lease = { now: new Date(start), leaseEnd: new Date(start + 60_000) };
    const take = (trx: Trx) => takeDue(trx, lease);
    const [first, second] = await app.db.transaction().execute(async (trx) => {
      const taken = await take(trx);
      const others = app.db.transaction().execute(take);
      await Promise.race([others, wait(100)]);
      return [taken, others] as const;
    });
    expect([first, await second]).toMatchObject([[{ attempts: 1 }], []]);
    await hook.remove();
  });

  it("keeps its messages while it is switched off, and sends them afterwards", async () => {
    const hook = await addWebhook(["video.removed"]);
    const path = `/api/admin/webhooks/${hook.id}`;
    const video = await makeVideo(app.db);
    await admin.call("DELETE", `/api/videos/${video.id}`);
    await admin.call("PUT", path, { isEnabled: false });
    inbox.length = 0;
    await deliver();
    expect(inbox).toEqual([]);
    expect(await hook.log()).toMatchObject([{ state: "waiting", attempts: 0 }]);
    await admin.call("PUT", path, { isEnabled: true });
    await deliver();
    expect(inbox).toHaveLength(1);
    await hook.remove();
  });

  it.each([
    ["file:///etc/passwd", "Enter an HTTP or HTTPS URL without a user name"],
    ["https://user:pw@example.com/", "Enter an HTTP or HTTPS URL without a user name"],
    ["<script>alert(1)</script>", "Enter an HTTP or HTTPS URL without a user name"],
    [`https://example.com/${"x".repeat(10_000)}`, "At most 2000 characters"],
  ])("is not added for %s", async (url, message) => {
    const body = { url, events: ["video.ready"] };
    const refused = await admin.call("POST", "/api/admin/webhooks", body);
    expect([refused.status, refused.json.issues[0].message]).toEqual([400, message]);
  });
});
