import { sql } from "kysely";
import { expect, it } from "vitest";
import { createClient, useTestApp, useClient } from "#test/app.ts";
import { makeAd } from "#test/factories/make-ad.ts";
import { makeVideo } from "#test/factories/make-video.ts";

const app = useTestApp({ env: { HISTORY_MONTHS: "7", TRUST_PROXY: "127.0.0.1" } });
const admin = useClient(app);

/** Returns the id in a visitor's signed cookie. */
const idOf = ({ jar }: ReturnType<typeof createClient>) =>
  jar.get("visitor")?.split(".")[0] ?? "none";

/** Returns the tables with a row that contains the text anywhere. */
async function tablesWith(text: string): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select table_name as name from information_schema.tables
    where table_schema = current_schema() and table_type = 'BASE TABLE'`.execute(app.db);
  const found: string[] = [];
  for (const { name } of rows) {
    const hit = await sql`
      select 1 from ${sql.table(name)} t where t::text like ${`%${text}%`} limit 1`.execute(app.db);
    // Rows of a partitioned table also appear in its partitions.
    if (hit.rows.length > 0) found.push(name.replace(/_(to_\d+|\d{4,8}|rest)$/, ""));
  }
  return [...new Set(found)].toSorted();
}

/**
 * Creates every kind of row that a visitor can leave behind, in the tables cleared by
 * `deleteVisitor`.
 */
async function leaveTraces(visitor: ReturnType<typeof createClient>, given: Traces) {
  const { videoId, trashedId, adId } = given;
  const browser = { "user-agent": "Mozilla/5.0 (X11; Linux x86_64) Chrome/140.0" };
  for (const id of [videoId, trashedId]) {
    expect((await visitor.call("POST", `/api/videos/${id}/like`)).status).toBe(200);
    await visitor.call("POST", `/api/videos/${id}/favorite`);
  }
  await visitor.call("POST", `/api/videos/${videoId}/watch`, { watchTime: 5, completed: false });
  for (const id of [videoId, trashedId]) {
    await visitor.call("POST", `/api/videos/${id}/comments`, { text: "Mine" });
  }
  await visitor.call("POST", "/api/transfers", { data: "{}" });
  await visitor.call("POST", "/api/visits", { ref: "law" });
  const list = "/api/spots/public?placement=header";
  const { json } = await visitor.call("GET", list, undefined, browser);
  const shown = { serve: json.serve, placement: "header" };
  await visitor.call("POST", `/api/spots/${adId}/impression`, shown, browser);
  await visitor.call("POST", `/api/spots/${adId}/click`, {});
  const visitorId = idOf(visitor);
  await sql`
    insert into ad_reservations (serve, ad_id, visitor_id, is_single, expires_at)
    values (${String(Date.now())}, ${adId}, ${visitorId}, false, now() + interval '1 hour')
    on conflict do nothing`.execute(app.db);
  await sql`
    insert into write_counts (minute, key, writes)
    values (1, ${`visitor:${visitorId}`}, 100)`.execute(app.db);
}

interface Traces {
  videoId: string;
  trashedId: string;
  adId: string;
}

const traces = [
  "ad_reservations",
  "ad_unverified_calls",
  "ad_visitor_days",
  "comments",
  "device_transfers",
  "favorites",
  "likes",
  "referral_visitors",
  "removed_videos",
  "watches",
  "write_counts",
];

it("deletes only this visitor's data from every table and from the trash", async () => {
  const { db } = app;
  const video = await makeVideo(db);
  const trashed = await makeVideo(db);
  const ad = await makeAd(db, { visitor_daily_cap: 5 });
  await admin.call("POST", "/api/settings", { comments: "held" });
  await app.context.changed("everything");
  await admin.call("POST", "/api/referrals", { code: "law", name: "Law" });
  const given = { videoId: video.id, trashedId: trashed.id, adId: ad.id };
  const [one, other] = [createClient(app.url), createClient(app.url)];
  await leaveTraces(one, given);
  await leaveTraces(other, given);
  expect((await admin.call("DELETE", `/api/videos/${trashed.id}`)).status).toBe(204);

  const { rows: keys } = await sql`
    select from removed_videos where jsonb_path_exists(kept_rows, '$.**.address_key')`.execute(db);
  expect(keys).toEqual([]);
  const oneId = idOf(one);
  expect(await tablesWith(oneId)).toEqual(traces);
  expect(await tablesWith(idOf(other))).toEqual(traces);
  // The queue entry disappears with the comment.
  const waiting = async () => (await admin.call("GET", "/api/admin/reports?kind=comment")).json;
  expect((await waiting()).total).toBe(4);
  const forgot = await one.call("POST", "/api/forget");
  expect([forgot.status, forgot.headers.get("cache-control")]).toEqual([200, "no-store"]);
  expect(forgot.json.deleted).toBeGreaterThanOrEqual(8);
  expect(await tablesWith(oneId)).toEqual([]);
  expect(await tablesWith(idOf(other))).toEqual(traces);
  const queue = (await waiting()).reports;
  expect(queue.map((entry: { comment: unknown }) => entry.comment !== null)).toContain(true);
  expect(queue.length).toBeLessThan(4);
  const ended = forgot.headers.getSetCookie().map((line) => line.split(/=;.*Max-Age=0/)[0]);
  expect(ended).toEqual([
    ...["visitor", "age", "stopped_spots", "consent"],
    ...["member", "member_until"],
  ]);

  // Totals stay, and the restored video only brings back the other visitor's like.
  const status = await one.call("GET", `/api/videos/${video.id}/like`);
  expect(status.json).toEqual({ liked: false, likesCount: 2 });
  expect((await admin.call("POST", `/api/admin/trash/${trashed.id}/restore`)).status).toBe(200);
  expect(await tablesWith(oneId)).toEqual([]);
  const rows = await db
    .selectFrom("likes")
    .select("visitor_id")
    .where("video_id", "=", trashed.id)
    .execute();
  expect(rows).toEqual([{ visitor_id: idOf(other) }]);
});

const postForm = (address: string, cookie = "") =>
  fetch(`${app.url}/api/forget`, {
    method: "POST",
    redirect: "manual",
    headers: {
      "content-type": "application/x-www-form-urlencoded",
      "x-forwarded-for": address,
      cookie,
    },
    body: "",
  });

it("works with a form and without a cookie but not from another site", async () => {
  const sent = await postForm("10.8.0.1");
  expect([sent.status, sent.headers.get("location")]).toEqual([303, "/privacy?forgotten=1"]);
  expect(sent.headers.get("clear-site-data")).toBe('"storage"');
  expect((await createClient(app.url).call("POST", "/api/forget")).json).toEqual({ deleted: 0 });
  const foreign = await createClient(app.url).call("POST", "/api/forget", undefined, {
    origin: "https://evil.example",
  });
  expect(foreign.status).toBe(403);
});

it("searches the trash at most ten times a minute for one address", async () => {
  const video = await makeVideo(app.db);
  const visitor = createClient(app.url);
  await visitor.call("POST", `/api/videos/${video.id}/favorite`);
  const cookie = `visitor=${visitor.jar.get("visitor")}`;
  const locations: (string | null)[] = [];
  // A new minute may start in between.
  for (let tries = 0; tries < 21; tries += 1) {
    locations.push((await postForm("10.8.0.2", cookie)).headers.get("location"));
  }
  expect(locations.slice(0, 10)).toEqual(Array.from({ length: 10 }, () => "/privacy?forgotten=1"));
  expect(locations).toContain("/privacy?error=1");
});

it("lists what the site stores, according to its settings and its ads", async () => {
  const { db } = app;
  await db.deleteFrom("ads").execute();
  await admin.call("POST", "/api/settings", {
    privacy: null,
    ageGate: false,
    trashDays: 30,
    comments: "off",
  });
  await app.context.changed("everything");
  const facts = async () => (await createClient(app.url).call("GET", "/api/privacy")).json;
  const plain = {
    html: null,
    playMonths: 7,
    trashDays: 30,
    asksAge: false,
    sendsMail: false,
    hasComments: false,
    hasMembers: false,
    hasAds: false,
    hasTrustedAds: false,
    adHosts: [],
    siteHosts: [],
  };
  expect(await facts()).toEqual(plain);
  await admin.call("POST", "/api/settings", {
    privacy: "# Ours\n\n<script>alert(1)</script> \u202eמי אנחנו",
    trashDays: 5,
    adOrigins: ["https://*.every.example"],
    logoUrl: "https://logo.example/a.png",
    faviconUrl: "/favicon.png",
  });
  const content = `<a href="https://linked.example">x</a><script src='https://script.example/a.js'></script>
    <img src=//img.example/x.png><div style="background:url(https://css.example/b)"></div>`;
  await makeAd(db, {
    trust: "page",
    content,
    image_url: "/own.png",
    origins: ["https://*.own.example"],
  });
  await makeAd(db, { type: "video", vast_tag_url: "https://vast.example:8443/tag" });
  await makeAd(db, { is_active: false, image_url: "https://inactive.example/x.png" });
  await app.context.changed("everything");
  const told = await facts();
  expect(told).toMatchObject({
    trashDays: 5,
    hasAds: true,
    hasTrustedAds: true,
    siteHosts: ["logo.example"],
    adHosts: [
      "*.every.example",
      "*.own.example",
      "css.example",
      "img.example",
      "script.example",
      "vast.example:8443",
    ],
  });
  expect(told.html).toContain("<h1>Ours</h1>");
  expect(told.html).not.toContain("<script");
});

it("deletes unneeded data about visitors and addresses every hour", async () => {
  const { db } = app;
  const ad = await makeAd(db);
  const video = await makeVideo(db);
  await createClient(app.url).call("POST", `/api/videos/${video.id}/reports`, { reason: "other" });
  await sql`update reports set created_at = now() - interval '25 hours'`.execute(db);
  const owner = "0198c0de-0000-7000-8000-000000000001";
  await sql`insert into device_transfers (code_hash, data, expires_at) values (sha256('a'), 'mine', now() - interval '1 minute')`.execute(
    db,
  );
  await sql`insert into device_transfers (code_hash, data, expires_at) values (sha256('b'), 'still', now() + interval '5 minutes')`.execute(
    db,
  );
  await sql`insert into write_counts values (1, 'address:old', 1)`.execute(db);
  await sql`
    insert into ad_visitor_days (visitor_id, day, ad_id, impressions) values
      (${owner}, current_date - 3, ${ad.id}, 1), (${owner}, current_date, ${ad.id}, 1)`.execute(db);
  await sql`
    insert into ad_unverified_calls values
      (${ad.id}, 'click', 'address old', now() - interval '2 hours', 1)`.execute(db);
  await sql`
    insert into report_senders (email, token_hash, asked_at, confirmed_at, requester) values
      ('silent@example.com', sha256('a'), now() - interval '31 days', null, 'old'),
      ('asked@example.com', sha256('b'), now() - interval '2 hours', null, 'old'),
      ('new@example.com', sha256('c'), now(), null, 'new')`.execute(db);
  await app.runJob("privacy.delete-outdated");
  const left = await sql`select
    (select array_agg(data) from device_transfers where data in ('mine', 'still')) as moved,
    (select count(*)::int from ad_visitor_days where visitor_id = ${owner}) as days,
    (select count(*)::int from write_counts where key = 'address:old') as writes,
    (select count(*)::int from ad_unverified_calls where caller = 'address old') as calls,
    (select count(*)::int from reports where address_key is not null) as keys,
    (select array_agg(concat_ws(' ', email, requester) order by email) from report_senders) as senders`.execute(
    db,
  );
  const senders = ["asked@example.com", "new@example.com new"];
  expect(left.rows).toEqual([{ moved: ["still"], days: 1, writes: 0, calls: 0, keys: 0, senders }]);
});

it("lists an ad that runs in the page for visitors who accepted that", async () => {
  const { db } = app;
  await db.deleteFrom("ads").execute();
  const ad = { content: "<i>x</i>", placement: "sidebar" } as const;
  await makeAd(db, { ...ad, title: "in the page", trust: "page" });
  await makeAd(db, { ...ad, title: "in a frame" });
  await app.context.changed("everything");
  const listedWith = async (cookie: string) => {
    const visitor = createClient(app.url, cookie);
    const { json } = await visitor.call("GET", "/api/spots/public?placement=sidebar");
    return json.ads.map(({ title }: { title: string }) => title).toSorted();
  };
  expect(await listedWith("consent=yes")).toEqual(["in a frame", "in the page"]);
  for (const cookie of ["", "consent=no", "consent=%3Cscript%3E", `consent=${"y".repeat(3000)}`]) {
    expect(await listedWith(cookie)).toEqual(["in a frame"]);
  }
  const needs = async () => (await app.context.ads.listSlots()).map((slot) => slot.needsConsent);
  expect(await needs()).toEqual(["some"]);
  await db.deleteFrom("ads").where("title", "=", "in a frame").execute();
  await app.context.changed("everything");
  expect(await needs()).toEqual(["all"]);
});
