import { sql } from "kysely";
import { describe, expect, it } from "vitest";
import type { Trx } from "#server/db/connection.ts";
import { createClient, useTestApp, useClient } from "#test/app.ts";
import { makeVideo } from "#test/factories/make-video.ts";
import { countLockWaits } from "#test/harness/lock-waits.ts";
import { recordAudits } from "#server/features/audit/audit.service.ts";

const dayMs = 24 * 3600 * 1000;
// Sessions are checked with the database's clock, so the test stays near it, in the middle of a
// day.
let now = Math.floor(Date.now() / dayMs) * dayMs + dayMs / 2;
const dayOf = (ms: number) => new Date(ms).toISOString().slice(0, 10);

const app = useTestApp({ clock: { now: () => now, date: () => new Date(now) } });
const admin = useClient(app);

describe("referral links", () => {
  it("creates, changes and deletes links with unique codes", async () => {
    const created = await admin.call("POST", "/api/referrals", {
      name: "Poster",
      code: " Poster-1 ",
    });
    expect(created.status).toBe(201);
    expect(created.json).toMatchObject({
      code: "poster-1",
      target: "/",
      isActive: true,
      visits: 0,
    });
    const twice = await admin.call("POST", "/api/referrals", { name: "Other", code: "poster-1" });
    expect(twice.status).toBe(409);
    for (const body of [
      { name: "", code: "x" },
      { name: "x", code: "no spaces" },
      { name: "x", code: "y", target: "//evil.example" },
      { name: "x", code: "y", target: "https://evil.example" },
    ]) {
      expect((await admin.call("POST", "/api/referrals", body)).status).toBe(400);
    }
    const changed = await admin.call("PUT", `/api/referrals/${created.json.id}`, {
      note: "In town",
    });
    expect(changed.json).toMatchObject({ name: "Poster", note: "In town" });
    expect((await admin.call("DELETE", `/api/referrals/${created.json.id}`)).status).toBe(204);
    expect((await admin.call("GET", `/api/referrals/${created.json.id}/stats`)).status).toBe(404);
  });

  it("merges simultaneous changes and responds with 404 if the link was just deleted", async () => {
    const created = await admin.call("POST", "/api/referrals", { name: "Card", code: "card" });
    const { id } = created.json;
    const update = (change: (trx: Trx) => Promise<unknown>) =>
      app.db.transaction().execute(async (trx) => {
        await change(trx);
        const call = admin.call("PUT", `/api/referrals/${id}`, { note: "In town" });
        await expect.poll(() => countLockWaits(app.db)).toBe(1);
        return { call };
      });
    const renaming = await update((trx) =>
      sql`update referrals set name = 'Cards' where id = ${id}`.execute(trx),
    );
    expect((await renaming.call).json).toMatchObject({ name: "Cards", note: "In town" });
    const deleting = await update((trx) =>
      sql`delete from referrals where id = ${id}`.execute(trx),
    );
    expect((await deleting.call).status).toBe(404);
  });

  it("counts at most 300 visits per address and link in half an hour", async () => {
    const link = await admin.call("POST", "/api/referrals", { name: "Loop", code: "loop" });
    const visit = async () =>
      (await createClient(app.url).call("POST", "/api/visits", { ref: "loop" })).json.counted;
    const counted = await Promise.all(Array.from({ length: 302 }, visit));
    expect(counted.filter(Boolean)).toHaveLength(300);
    now += 31 * 60_000;
    expect(await visit()).toBe(true);
    await admin.call("DELETE", `/api/referrals/${link.json.id}`);
  });

  it("counts visits, daily unique visitors and plays of referred visitors", async () => {
    const link = await admin.call("POST", "/api/referrals", { name: "Flyer", code: "flyer" });
    const video = await makeVideo(app.db);
    const visitor = createClient(app.url);
    const visit = (client: typeof visitor, ref: string) =>
      client.call("POST", "/api/visits", { ref });
    expect((await visit(visitor, "FLYER")).json).toEqual({ counted: true });
    await visit(visitor, "flyer");
    await visit(createClient(app.url), "flyer");
    expect((await visit(createClient(app.url), "unknown")).json).toEqual({ counted: false });
    const watch = (client: typeof visitor) =>
      client.call("POST", `/api/videos/${video.id}/watch`, { watchTime: 0, completed: false });
    await watch(visitor);
    await watch(createClient(app.url));
    const before = now;
    now += dayMs;
    await visit(visitor, "flyer");
    const stats = await admin.call("GET", `/api/referrals/${link.json.id}/stats?days=3`);
    expect(stats.json.days).toEqual([
      { day: dayOf(before - dayMs), visits: 0, uniqueVisitors: 0, plays: 0 },
      { day: dayOf(before), visits: 3, uniqueVisitors: 2, plays: 1 },
      { day: dayOf(now), visits: 1, uniqueVisitors: 1, plays: 0 },
    ]);
    const list = await admin.call("GET", "/api/referrals?search=fly");
    expect(list.json).toMatchObject([{ code: "flyer", visits: 4, uniqueVisitors: 2, plays: 1 }]);
    const csv = await admin.call("GET", `/api/referrals/${link.json.id}/stats.csv?days=1`);
    expect(csv.text).toBe(`day,visits,unique_visitors,plays\r\n${dayOf(now)},1,1,0\r\n`);
    await admin.call("PUT", `/api/referrals/${link.json.id}`, { isActive: false });
    expect((await visit(createClient(app.url), "flyer")).json).toEqual({ counted: false });
  });

  it("counts visits and plays by the day of the site's time zone", async () => {
    // It is 02:00 of the next day there.
    await app.db.updateTable("settings").set({ time_zone: "Pacific/Kiritimati" }).execute();
    const { json: link } = await admin.call("POST", "/api/referrals", {
      name: "Sign",
      code: "sign",
    });
    const video = await makeVideo(app.db);
    const visitor = createClient(app.url);
    await visitor.call("POST", "/api/visits", { ref: "sign" });
    const play = { watchTime: 0, completed: false };
    await visitor.call("POST", `/api/videos/${video.id}/watch`, play);
    const { json } = await admin.call("GET", `/api/referrals/${link.id}/stats?days=2`);
    expect(json.days).toEqual([
      { day: dayOf(now), visits: 0, uniqueVisitors: 0, plays: 0 },
      { day: dayOf(now + dayMs), visits: 1, uniqueVisitors: 1, plays: 1 },
    ]);
    await app.db.updateTable("settings").set({ time_zone: "UTC" }).execute();
  });
});

describe("audit log", () => {
  it("lists entries in pages and filters them", async () => {
    for (const name of ["One", "Two", "Three"]) {
      await admin.call("POST", "/api/tags", { name });
    }
    const first = await admin.call("GET", "/api/admin/audit?action=tag.created&limit=2");
    expect(
      first.json.entries.map((entry: { after: { name: string } }) => entry.after.name),
    ).toEqual(["Three", "Two"]);
    const cursor = encodeURIComponent(first.json.nextCursor);
    const second = await admin.call(
      "GET",
      `/api/admin/audit?action=tag.created&limit=2&cursor=${cursor}`,
    );
    expect(second.json.entries).toHaveLength(1);
    expect(second.json.nextCursor).toBeNull();
    expect((await admin.call("GET", "/api/admin/audit?user=unknown%25")).json.entries).toEqual([]);
    expect((await admin.call("GET", "/api/admin/audit?cursor=x")).status).toBe(400);
    expect((await admin.call("GET", "/api/admin/audit?from=2026-99-99")).status).toBe(400);
    expect((await admin.call("GET", "/api/admin/audit?from=2026-02-31x")).status).toBe(400);
  });

  it("filters by UTC days or by times with an offset", async () => {
    const { json: tag } = await admin.call("POST", "/api/tags", { name: "Late" });
    await app.db
      .updateTable("audit_log")
      .set({ at: new Date("2026-03-31T22:30:00Z") })
      .where("entity_id", "=", tag.id)
      .execute();
    const count = async (range: Record<string, string>) => {
      const query = new URLSearchParams({ entityId: tag.id, ...range });
      return (await admin.call("GET", `/api/admin/audit?${query}`)).json.entries.length;
    };
    const midnight = "2026-04-01T00:00:00+02:00";
    expect(await count({ from: "2026-03-31", to: "2026-03-31" })).toBe(1);
    expect(await count({ from: "2026-04-01" })).toBe(0);
    expect(await count({ from: midnight })).toBe(1);
    expect(await count({ to: midnight })).toBe(0);
  });

  it("lists all entries of a transaction once, page by page", async () => {
    const actor = { user: { id: null, email: "pages@example.com" }, requestId: "pages" };
    const entries = Array.from({ length: 60 }, (_, n) => ({
      ...{ action: "tag.created", entity: "tag", entityId: String(n) },
    }));
    await recordAudits(app.db, actor, entries);
    const seen: string[] = [];
    for (let cursor = ""; ;) {
      const path = `/api/admin/audit?user=pages@example.com&limit=25${cursor}`;
      const { json } = await admin.call("GET", path);
      seen.push(...json.entries.map(({ entityId }: { entityId: string }) => entityId));
      if (json.nextCursor === null) break;
      cursor = `&cursor=${json.nextCursor}`;
    }
    expect(seen.toSorted()).toEqual(entries.map(({ entityId }) => entityId).toSorted());
    const last = "999999999999999999_01890000-0000-7000-8000-000000000000";
    expect((await admin.call("GET", `/api/admin/audit?cursor=${last}`)).status).toBe(200);
  });
});

describe("the operator's pages", () => {
  it("renders the pages as safe HTML", async () => {
    const visitor = createClient(app.url);
    expect((await visitor.call("GET", "/api/pages/terms")).status).toBe(404);
    await admin.call("POST", "/api/settings", {
      terms: "# Terms\n\n<script>alert(1)</script>\n\n[x](javascript:alert(1)) **bold**",
      midrollTimes: [5, 50],
    });
    const page = await visitor.call("GET", "/api/pages/terms");
    expect(page.json.html).toContain("<h1>Terms</h1>");
    expect(page.json.html).toContain("<strong>bold</strong>");
    expect(page.json.html).not.toContain("<script");
    expect(page.json.html).not.toContain("javascript:");
    expect((await visitor.call("GET", "/api/settings/public")).json.pages).toEqual(["terms"]);
    const video = await makeVideo(app.db, { duration_s: 30 });
    const midroll = await visitor.call("GET", `/api/videos/${video.id}/midroll`);
    expect(midroll.json).toEqual({ config: { times: [5] } });
  });
});
