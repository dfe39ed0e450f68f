import { describe, expect, it } from "vitest";
import { createClient, useTestApp, useClient } from "#test/app.ts";
import { makeUser, testOrigin, testPassword } from "#test/factories/make-user.ts";
import { makeAd } from "#test/factories/make-ad.ts";
import { makeVideo, changeVideo } from "#test/factories/make-video.ts";
import { createAuthService } from "#server/features/auth/auth.service.ts";

const dayMs = 24 * 3600 * 1000;
/** Noon of today, so that the previous and next hours are on the same day. */
const nowMs = Math.floor(Date.now() / dayMs) * dayMs + dayMs / 2;
const dateOf = (daysAgo: number) => new Date(nowMs - daysAgo * dayMs).toISOString().slice(0, 10);
const clock = { now: () => nowMs, date: () => new Date(nowMs) };

const app = useTestApp({ clock });
const admin = useClient(app);

it("sums plays, likes and ads per day and the same days of the week before, without today", async () => {
  const row = await makeVideo(app.db, { title: "Counted" });
  for (const [hour, views] of [
    [`${dateOf(0)}T00:00:00Z`, 3],
    [`${dateOf(1)}T23:00:00Z`, 4],
    [`${dateOf(7)}T10:00:00Z`, 9],
    [`${dateOf(8)}T10:00:00Z`, 6],
    [`${dateOf(13)}T10:00:00Z`, 2],
  ] as const) {
    const sums = { hour: new Date(hour), views, likes: 1, watch_time_s: views * 10 };
    await app.db.insertInto("site_stats_hourly").values(sums).execute();
    await app.db
      .insertInto("video_stats_hourly")
      .values({ ...sums, video_id: row.id })
      .execute();
  }
  const { json } = await admin.call("GET", "/api/admin/statistics?days=7");
  expect(json.days).toHaveLength(7);
  expect(json.days.slice(-2)).toMatchObject([
    { date: dateOf(1), plays: 4, watchTimeS: 40, likes: 1 },
    { date: dateOf(0), plays: 3, watchTimeS: 30, likes: 1 },
  ]);
  expect(json.before).toMatchObject({ plays: 8, watchTimeS: 80 });
  expect(json.topVideos).toMatchObject([{ title: "Counted", plays: 7 }]);
  expect((await admin.call("GET", "/api/admin/statistics?days=8")).status).toBe(400);
});

it("counts plays and ads by the day of the site's time zone", async () => {
  const { db } = app;
  const ad = await makeAd(db);
  // It is 02:00 of the next day there.
  await db.updateTable("settings").set({ time_zone: "Pacific/Kiritimati" }).execute();
  await db
    .insertInto("ad_stats_daily")
    .values({ ad_id: ad.id, day: dateOf(-1), placement: "header", verified_impressions: 5 })
    .execute();
  const hour = new Date(nowMs - 3600 * 1000);
  await db.insertInto("site_stats_hourly").values({ hour, views: 6 }).execute();
  const { json } = await admin.call("GET", "/api/admin/statistics?days=7");
  expect(json.days).toHaveLength(7);
  expect(json.days.at(-1)).toMatchObject({ date: dateOf(-1), plays: 6, adImpressions: 5 });
});

it("ends a HEAD of the event stream at once", async () => {
  const { status, headers, text } = await admin.call("HEAD", "/api/admin/events");
  expect([status, headers.get("content-type"), text]).toEqual([
    200,
    "text/event-stream; charset=utf-8",
    "",
  ]);
});

it("sends the changes of a processed video as server-sent events until its end", async () => {
  const row = await makeVideo(app.db, { status: "processing", progress: 0 });
  const stop = new AbortController();
  const cookie = [...admin.jar].map(([name, value]) => `${name}=${value}`).join("; ");
  const response = await fetch(`${app.url}/api/admin/events`, {
    headers: { cookie },
    signal: stop.signal,
  });
  expect(response.headers.get("content-type")).toContain("text/event-stream");
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  const receive = async (part: string) => {
    while (!text.includes(part)) text += (await reader?.read())?.value ?? "";
  };
  await receive("retry");
  // The first poll sends nothing, whenever it runs. Later steps are sent.
  let progress = 0;
  const steps = setInterval(() => {
    progress += 0.01;
    void changeVideo(app.db, row.id, { progress });
  }, 200);
  await receive('"progress":0.');
  clearInterval(steps);
  await changeVideo(app.db, row.id, { status: "ready", progress: 1 });
  await receive('"status":"ready"');
  stop.abort();
});

describe("an event stream", () => {
  /** Opens a stream with its own session. `end` resolves when the server has ended it. */
  async function openStream() {
    const user = await makeUser(app.db);
    const { token } = await app.context.auth.signIn(user.email, testPassword, testOrigin);
    const response = await fetch(`${app.url}/api/admin/events`, {
      headers: { cookie: `session=${token}` },
      signal: AbortSignal.timeout(10_000),
    });
    expect(response.status).toBe(200);
    const reader = response.body?.getReader();
    await reader?.read();
    const end = async () => {
      while ((await reader?.read())?.done === false);
      return "ended";
    };
    return { user, token, end };
  }

  it("ends at once on sign-out without ending the streams of other sessions", async () => {
    const first = await openStream();
    const second = await openStream();
    let hasSecondEnded = false;
    const secondEnd = second.end().then(() => (hasSecondEnded = true));
    const cookie = `session=${first.token}`;
    await createClient(app.url, cookie).call("POST", "/api/auth/signout");
    expect(await first.end()).toBe("ended");
    expect(hasSecondEnded).toBe(false);
    await app.db.deleteFrom("users").where("id", "=", second.user.id).execute();
    await secondEnd;
  });

  it("ends at once after a password or role change in any process", async () => {
    const changed = await openStream();
    const demoted = await openStream();
    // Separate service, like the command line's: it only shares the database.
    const { db, clock, secret } = app.context;
    const elsewhere = createAuthService({ db, clock, secret });
    const actor = { user: { id: null, email: "command line" }, requestId: "test" };
    await elsewhere.accounts.resetPassword(changed.user.email, "another password", actor);
    expect(await changed.end()).toBe("ended");
    const demotion = { role: "USER", is_owner: false } as const;
    await db.updateTable("users").set(demotion).where("id", "=", demoted.user.id).execute();
    expect(await demoted.end()).toBe("ended");
  });
});
