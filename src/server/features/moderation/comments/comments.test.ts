import { beforeAll, describe, expect, it } from "vitest";
import { createClient, useTestApp, useClient } from "#test/app.ts";
import { makeUser } from "#test/factories/make-user.ts";
import { makeVideo } from "#test/factories/make-video.ts";
import { mustBeHeld } from "./comments.service.ts";

let slug: string;
const app = useTestApp({ env: { TRUST_PROXY: "127.0.0.1" } });
const admin = useClient(app);
beforeAll(async () => {
  slug = (await makeVideo(app.db, { slug: "talk", title: "Talk" })).slug;
});

const save = async (settings: object) =>
  expect((await admin.call("POST", "/api/settings", settings)).status).toBe(200);
let addresses = 0;
/** Each call uses a new address. */
const write = (body: object, address = `10.9.${(addresses += 1) % 250}.1`, video = slug) =>
  createClient(app.url).call("POST", `/api/videos/${video}/comments`, body, {
    "x-forwarded-for": address,
  });
const list = async (query = "") =>
  (await admin.call("GET", `/api/videos/${slug}/comments${query}`)).json;
const shown = async () => {
  await app.context.changed("everything");
  return (await list()).comments.map(({ text }: { text: string }) => text);
};
const queue = async () => (await admin.call("GET", "/api/admin/reports?kind=comment")).json.reports;
const act = (id: string, action: string, all = false) =>
  admin.call("POST", `/api/admin/reports/${id}/action`, { action, all });

it("accepts no comments until the operator enables them", async () => {
  expect((await write({ text: "Hello" })).status).toBe(404);
  expect((await admin.call("GET", `/api/videos/${slug}/comments`)).status).toBe(404);
});

describe("held for approval", () => {
  it("shows a comment once a moderator approves it, and removes it again", async () => {
    await save({ comments: "held" });
    const sent = await write({ text: "  First <script>alert(1)</script>  ", name: " Ada " });
    expect([sent.status, sent.json]).toEqual([201, { comment: null }]);
    expect(await shown()).toEqual([]);
    const [entry] = await queue();
    expect(entry).toMatchObject({
      kind: "comment",
      reason: "held",
      state: "open",
      text: "",
      email: null,
      others: 0,
      comment: { name: "Ada", text: "First <script>alert(1)</script>", state: "held" },
      video: { slug, isRemoved: false },
    });
    expect((await act(entry.id, "block")).status).toBe(400);
    expect((await act(entry.id, "dismiss")).status).toBe(200);
    expect(await shown()).toEqual(["First <script>alert(1)</script>"]);
    const [comment] = (await list()).comments;
    expect(Object.keys(comment).toSorted()).toEqual(["createdAt", "id", "name", "text"]);

    // A visitor's report of the comment joins the same queue entry. A report of the video is
    // separate.
    const report = { reason: "misleading", comment: comment.id };
    expect((await admin.call("POST", `/api/videos/${slug}/reports`, report)).status).toBe(201);
    await admin.call("POST", `/api/videos/${slug}/reports`, { reason: "other" });
    const [reported] = await queue();
    expect(reported).toMatchObject({ reason: "misleading", others: 0 });
    expect((await act(reported.id, "remove")).status).toBe(200);
    expect(await shown()).toEqual([]);
    expect((await admin.call("POST", `/api/videos/${slug}/reports`, report)).status).toBe(404);
    const videos = (await admin.call("GET", "/api/admin/reports?kind=report")).json;
    expect(videos.reports).toMatchObject([{ kind: "report", state: "open", comment: null }]);
    const audit = await app.db
      .selectFrom("audit_log")
      .select("action")
      .where("entity", "=", "comment")
      .orderBy("at")
      .execute();
    expect(audit.map(({ action }) => action)).toEqual(["comment.approved", "comment.removed"]);

    // The report is reopened and the comment approved.
    await admin.call("PUT", `/api/admin/reports/${reported.id}`, { state: "open" });
    await act(reported.id, "dismiss");
    expect(await shown()).toHaveLength(1);
  });

  it("is restricted to users who decide on reports", async () => {
    await write({ text: "Wait" });
    const [entry] = (await queue()).filter(({ state }: { state: string }) => state === "open");
    for (const role of ["ANALYST", "EDITOR"] as const) {
      const other = createClient(app.url, await app.signIn(role));
      const body = { action: "dismiss" };
      const path = `/api/admin/reports/${entry.id}/action`;
      expect((await other.call("POST", path, body)).status).toBe(403);
    }
    const moderator = createClient(app.url, await app.signIn("MODERATOR"));
    const body = { action: "remove" };
    const path = `/api/admin/reports/${entry.id}/action`;
    expect((await moderator.call("POST", path, body)).status).toBe(200);
  });

  it.each([
    ["dismiss", ["Decided"]],
    ["remove", []],
  ])("applies %s to a comment whose video is in the trash", async (action, texts) => {
    const video = await makeVideo(app.db);
    for (const text of ["Decided", "Undecided"]) await write({ text }, undefined, video.slug);
    await admin.call("DELETE", `/api/videos/${video.id}`);
    const [entry] = (await queue()).filter(
      (each: { video: { id: string } }) => each.video.id === video.id,
    );
    expect((await act(entry.id, action)).status).toBe(200);
    await admin.call("POST", `/api/admin/trash/${video.id}/restore`);
    const { json } = await admin.call("GET", `/api/videos/${video.id}/comments`);
    expect(json.comments.map(({ text }: { text: string }) => text)).toEqual(texts);
    const rows = await app.db
      .selectFrom("comments")
      .select("state")
      .where("video_id", "=", video.id)
      .orderBy("id")
      .execute();
    const decided = action === "dismiss" ? "shown" : "removed";
    expect(rows.map(({ state }) => state)).toEqual([decided, "held"]);
  });

  it("restores comments with their video, and removes one after a report", async () => {
    const video = await makeVideo(app.db);
    await write({ text: "Kept" }, "10.9.251.1", video.slug);
    const ofVideo = async () =>
      (await queue()).filter((entry: { video: { id: string } }) => entry.video.id === video.id);
    const comment = { name: null, text: "Kept", state: "held" };
    await admin.call("DELETE", `/api/videos/${video.id}`);
    expect(await ofVideo()).toMatchObject([{ comment, video: { isRemoved: true } }]);
    await admin.call("POST", `/api/admin/trash/${video.id}/restore`);
    expect(await ofVideo()).toMatchObject([{ comment, video: { isRemoved: false } }]);
    await admin.call("POST", `/api/videos/${video.id}/reports`, { reason: "illegal" });
    const reports = (await admin.call("GET", "/api/admin/reports?kind=report")).json.reports;
    const report = reports.find((each: { video: { id: string } }) => each.video.id === video.id);
    expect((await act(report.id, "remove")).status).toBe(200);
    expect(await ofVideo()).toMatchObject([{ state: "resolved", outcome: "removed" }]);
  });
});

describe("open with filters", () => {
  it("shows approved comments, the newest first, in pages", async () => {
    await save({ comments: "open", commentWords: ["casino", "Spaß"], commentLinks: 1 });
    const video = await makeVideo(app.db, { slug: "busy" });
    for (let number = 1; number <= 22; number += 1) {
      const sent = await write({ text: `Number ${number}` }, `10.10.${number}.1`, video.slug);
      expect(sent.json.comment).toMatchObject({ text: `Number ${number}`, name: null });
    }
    const page = async (query: string) =>
      (await admin.call("GET", `/api/videos/busy/comments${query}`)).json;
    const first = await page("");
    expect(first.comments).toHaveLength(20);
    expect(first.comments[0].text).toBe("Number 22");
    const second = await page(`?cursor=${first.nextCursor}`);
    expect(second.comments.map(({ text }: { text: string }) => text)).toEqual([
      "Number 2",
      "Number 1",
    ]);
    expect(second.nextCursor).toBeNull();
    expect((await admin.call("GET", "/api/videos/busy/comments?cursor=x")).status).toBe(400);
    expect((await write({ text: "Best CASINO" })).json.comment).toBeNull();
  });

  it.each([
    ["One link: https://example.com/a", false],
    ["Two: https://example.com and www.example.org", true],
    ["Two without a scheme: example.com, example.org", true],
    ["ca\u200bsino", true],
    ["ＣＡＳＩＮＯ", true],
    ["viel SPASS", false],
    ["viel SPAß", true],
    ["cásïno", true],
    ["CASİNO", true],
    ["casıno", true],
    ["ΚΑΖΊΝΟ", true],
    ["ΦΡΟΥΤΑΚΙΑΣΕ", true],
    ["قِمَـــار", true],
    ["הִמּוּר", true],
    ["हिन्द", false],
    ["กี", false],
    ["кой", false],
    ["End of it.Next sentence.And more", false],
    ["Free\n \u3000money", true],
    ["Free your money", false],
  ])("holds %s: %s", (text, isHeld) => {
    const words = [
      ...["casino", "Spaß", "καζινο", "φρουτάκιας", "قمار", "המור"],
      ...["हन्द", "กา", "кои", "\u200b \u200b", "\u0640", "free money"],
    ];
    const rules = { words, maxLinks: 1 };
    expect(mustBeHeld({ name: "", text }, rules)).toBe(isHeld);
    expect(mustBeHeld({ name: "casino", text: "x" }, rules)).toBe(true);
    expect(mustBeHeld({ name: "Free", text: "money is useful" }, rules)).toBe(false);
  });

  it("judges a text in linear time", () => {
    // Quadratic work on such a text would take hours.
    const text = "a.m.".repeat(500_000);
    expect(mustBeHeld({ name: "", text }, { words: [], maxLinks: 1 })).toBe(false);
  });

  it("stores texts of every script unchanged, up to the maximum length", async () => {
    const texts = [
      "<img src=x onerror=alert(1)>",
      "עברית ltr عربى\u200f",
      "a".repeat(2000),
      "😀👩‍👩‍👧 Zalgo t̷͙̕e̵̲͝x̸̰̄t̴̢̉",
    ];
    for (const text of texts) {
      const sent = await write({ text, name: text.slice(0, 60) });
      expect([sent.status, sent.json.comment?.text]).toEqual([201, text]);
    }
    for (const body of [
      { text: "x".repeat(10_000) },
      { text: "x", name: "n".repeat(61) },
      { text: " \n\u200b\u202e " },
      { text: "\ud800" },
      { text: 5 },
      {},
    ]) {
      const refused = await write(body);
      expect([refused.status, refused.json.code]).toEqual([400, "invalid"]);
    }
  });

  it("limits the comments of one address, even if they are sent at the same time", async () => {
    const sent = await Promise.all(
      Array.from({ length: 8 }, (_, number) => write({ text: `Flood ${number}` }, "10.11.0.1")),
    );
    expect(sent.map(({ status }) => status).toSorted()).toEqual([
      ...Array.from({ length: 5 }, () => 201),
      ...Array.from({ length: 3 }, () => 429),
    ]);
    expect(sent.find(({ status }) => status === 429)?.headers.get("retry-after")).toBe("600");
  });

  it("limits the comments of an address group", async () => {
    await app.db.deleteFrom("write_counts").execute();
    expect((await write({ text: "First" }, "2001:db8:7::1")).status).toBe(201);
    await app.db.updateTable("write_counts").set({ writes: 199 }).execute();
    expect((await write({ text: "Last" }, "2001:db8:7:1::1")).status).toBe(201);
    const refused = await write({ text: "More" }, "2001:db8:7:2::1");
    expect(refused.status).toBe(429);
    // Until the next full hour.
    const waitS = Number(refused.headers.get("retry-after"));
    expect([waitS > 0, waitS <= 3600]).toEqual([true, true]);
    expect((await write({ text: "Elsewhere" }, "2001:db8:8::1")).status).toBe(201);
  });

  it("accepts a form and redirects back to its page", async () => {
    const post = (text: string) =>
      fetch(`${app.url}/api/videos/${slug}/comments`, {
        method: "POST",
        redirect: "manual",
        headers: {
          "content-type": "application/x-www-form-urlencoded",
          "x-forwarded-for": "10.12.0.1",
        },
        body: new URLSearchParams({ name: "", text }).toString(),
      });
    const led = async (text: string) => (await post(text)).headers.get("location");
    expect(await led("By form")).toBe("/comments/talk?sent=shown");
    expect(await led("casino")).toBe("/comments/talk?sent=held");
    expect(await led("")).toBe("/comments/talk?error=invalid");
    expect(await led("ж".repeat(2000))).toBe("/comments/talk?sent=shown");
    // Browsers send line breaks as CRLF.
    expect(await led("Hi\r\n".repeat(660))).toBe("/comments/talk?sent=shown");
  });

  it("shows no comments on a draft and refuses invalid settings", async () => {
    const draft = await makeVideo(app.db, { is_published: false });
    expect((await write({ text: "x" }, "10.13.0.1", draft.id)).status).toBe(404);
    const path = `/api/videos/${draft.id}/comments`;
    expect((await createClient(app.url).call("GET", path)).status).toBe(404);
    for (const wrong of [
      { comments: "on" },
      { commentLinks: 21 },
      { commentLinks: 1.5 },
      { commentWords: [""] },
      { commentWords: ["\u200b \u2800"] },
      { commentWords: ["x".repeat(10_000)] },
      { commentWords: Array.from({ length: 501 }, () => "x") },
    ]) {
      expect((await admin.call("POST", "/api/settings", wrong)).status).toBe(400);
    }
    const words = ["<script>", "עברית"];
    await save({ commentWords: words });
    expect((await admin.call("GET", "/api/settings")).json.commentWords).toEqual(words);
    const open = (await createClient(app.url).call("GET", "/api/settings/public")).json;
    expect(open.comments).toBe("open");
    expect(open.commentWords).toBeUndefined();
  });
});

describe("names and texts that deceive", () => {
  beforeAll(async () => {
    await save({ comments: "open", commentWords: [], siteName: "Lantern" });
  });
  const invisible = ["\u200b\u200d", "\u3164", "\u115f\u1160", "\u2800", "\ufe0f\u034f", "\u0301"];

  it("refuses names with a word for staff or the name of the site", async () => {
    const names = [
      ...["Lantern", "Lantern Support", "L4ntern", "Lаntеrn", "ＬＡＮＴＥＲＮ"],
      ...["admin", "Admin", "adrnin", "аdmin", "Adm1n", "a.d.m.i.n", "Site administrator"],
      ...["moderator", "M0derat0r", "Modérateur", "Админ", "\u202eadmin", "管理者"],
    ];
    for (const each of names) {
      const { status, json } = await write({ text: "Hello", name: each });
      expect({ each, status, path: json.issues?.[0]?.path }).toEqual({
        each,
        status: 409,
        path: "name",
      });
    }
    for (const each of ["Ada", "Badminton fan", "Lan", "Модест", "محمد", "田中"]) {
      expect({ each, status: (await write({ text: "Hello", name: each })).status }).toEqual({
        each,
        status: 201,
      });
    }
  });

  it("holds comments under names that sound official or are an address", async () => {
    const isHeld = async (name: string) =>
      (await write({ text: "Hello", name })).json.comment === null;
    const names = [
      "Support",
      "The Staff",
      "Verified \u2713",
      "0fficial",
      "Поддержка",
      "me@mail.test",
    ];
    for (const each of [...names, "my-shop.com"]) {
      expect([each, await isHeld(each)]).toEqual([each, true]);
    }
    for (const each of ["Ada", "J. Smith", "Dr. No"]) {
      expect([each, await isHeld(each)]).toEqual([each, false]);
    }
  });

  it("holds the names of users for moderators, and counts them towards the limit", async () => {
    const { name, email } = await makeUser(app.db, { name: "Ada Lovelace" });
    const from = "10.8.0.1";
    for (const each of [name, "ada-lovelace", "Аda Lоvеlасе", "A\u200bda L0velace"]) {
      const { status, json } = await write({ text: "Hello", name: each }, from);
      expect({ each, status, json }).toEqual({ each, status: 201, json: { comment: null } });
    }
    // An address is held, whoever it belongs to.
    const { json } = await write({ text: "Hello", name: email }, from);
    expect(json.comment).toBeNull();
    expect((await write({ text: "Hello", name }, from)).status).toBe(429);
  });

  it("lets signed-in staff use their names", async () => {
    const sent = await admin.call("POST", `/api/videos/${slug}/comments`, {
      text: "From the team",
      name: "Lantern admin",
    });
    expect(sent.status).toBe(201);
  });

  it("treats texts of only invisible characters as empty", async () => {
    for (const text of invisible) {
      expect({ text, status: (await write({ text })).status }).toEqual({ text, status: 400 });
      const { json } = await write({ text: "Hello", name: text });
      expect({ text, name: json.comment.name }).toEqual({ text, name: null });
      const found = await admin.call("GET", `/api/videos?search=${encodeURIComponent(text)}`);
      const all = await admin.call("GET", "/api/videos");
      expect({ text, total: found.json.total }).toEqual({ text, total: all.json.total });
      const notice = await createClient(app.url).call("POST", "/api/takedowns", {
        ...{ ground: "law", addresses: text, text, name: text, email: "a@example.com" },
        ...{ isInGoodFaith: true, isAccurate: true, signature: text },
      });
      const paths = notice.json.issues.map(({ path }: { path: string }) => path).toSorted();
      expect({ text, paths }).toEqual({ text, paths: ["addresses", "name", "signature", "text"] });
    }
    expect((await write({ text: "\u200bvisible" })).status).toBe(201);
  });
});
