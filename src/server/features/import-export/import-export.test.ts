import { copyFile, mkdir, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createClient, useTestApp } from "#test/app.ts";
import { encodeClip } from "#test/clip-cache.ts";
import { makeAd } from "#test/factories/make-ad.ts";
import { makeActor, makeCategory, makeTag } from "#test/factories/make-label.ts";
import { makeVideo } from "#test/factories/make-video.ts";
import { aac, h264, picture, tone } from "#test/sample-videos.ts";
import { limits } from "#contract/limits.ts";
import { csvKinds, type CsvKind } from "#contract/videos/imports.ts";
import { newToken } from "#server/lib/ids.ts";

const importDir = join(tmpdir(), `kinora-import-${newToken(6)}`);
let admin: ReturnType<typeof createClient>;
let cookie: string;

const app = useTestApp({ env: { IMPORT_DIR: importDir } });
beforeAll(async () => {
  await mkdir(join(importDir, "series"), { recursive: true });
  const clip = await encodeClip("clip.mp4", [
    ...[...picture("320x180", 2, 24), ...tone(2), ...h264, ...aac, "-movflags", "+faststart"],
  ]);
  await copyFile(clip, join(importDir, "series", "night_walk.mp4"));
  await writeFile(join(importDir, "notes.txt"), "no video");
  await symlink("/etc/hostname", join(importDir, "outside.mp4"));
  cookie = await app.signIn();
  admin = createClient(app.url, cookie);
});
afterAll(async () => {
  await rm(importDir, { recursive: true, force: true });
});

const send = async (kind: CsvKind, csv: string | Uint8Array<ArrayBuffer>, as = cookie) => {
  const response = await fetch(`${app.url}/api/admin/imports/${kind}?name=rows.csv`, {
    method: "POST",
    headers: { cookie: as, "content-type": "text/csv" },
    body: csv,
  });
  return { status: response.status, json: await response.json() };
};

async function runJob(importId: string): Promise<void> {
  await app.runJob("import.run", { importId });
}

const read = async (id: string) => (await admin.call("GET", `/api/admin/imports/${id}`)).json;

async function check(kind: CsvKind, csv: string) {
  const { json } = await send(kind, csv);
  const { mapping } = json;
  expect(
    (await admin.call("POST", `/api/admin/imports/${json.id}/check`, { mapping })).status,
  ).toBe(202);
  await runJob(json.id);
  return read(json.id);
}

async function apply(id: string) {
  expect((await admin.call("POST", `/api/admin/imports/${id}/start`)).status).toBe(202);
  await runJob(id);
  return read(id);
}

const exportOf = async (kind: CsvKind) => {
  const { text, headers } = await admin.call("GET", `/api/admin/export/${kind}`);
  expect(headers.get("content-type")).toBe("text/csv; charset=utf-8");
  return text;
};

describe("an export", () => {
  it("imports an export of every kind without changes", async () => {
    const { db } = app;
    const { id: tagId } = await makeTag(db, {
      name: "=cmd|calc",
      description: '-1, "x"\r\ny',
      is_series: true,
    });
    await makeCategory(db, { name: "ナイト", slug: "n-1" });
    await makeActor(db, { name: "Ada" });
    const hostile = { title: "@SUM(1+1)*cmd", description: "'=1\nمرحبا" };
    await makeVideo(db, hostile, { tagIds: [tagId] });
    await makeVideo(db, {
      visibility: "unlisted",
      translations: JSON.stringify({
        de: { description: '0:00 b, "c"\n0:10 d', title: "a" },
        ar: { title: "ن" },
      }),
    });
    await makeVideo(db, { is_published: false, is_sensitive: true, blocked_countries: ["DE"] });
    await makeVideo(db, { embedding: "nobody" });
    await makeAd(db, { content: "<b>+1</b>", starts_at: new Date(), target_devices: ["phone"] });
    await admin.call("POST", "/api/referrals", { name: "+Flyer", code: "flyer", note: "a;b" });
    for (const kind of csvKinds) {
      const csv = await exportOf(kind);
      const cells = csv.split(/[,\n]/);
      expect(cells.filter((cell) => /^"?[=+\-@\t]/.test(cell))).toEqual([]);
      const checked = await check(kind, csv);
      const { state, total, unchanged, problemRows } = checked;
      expect({ kind, state, unchanged, problemRows }).toEqual({
        kind,
        state: "checked",
        unchanged: total,
        problemRows: [],
      });
      expect(await exportOf(kind)).toBe(csv);
    }
  });
});

describe("an import", () => {
  it("changes nothing until it is started, then only applies valid rows", async () => {
    const { id } = await makeCategory(app.db, { name: "Old name", slug: "old-name" });
    const csv = [
      "Name;Slug;Description;Colour",
      "New name;old-name;Changed;red",
      "Fresh;;;",
      ";;no name;",
      "fresh;;again;",
      "a,b;;comma;",
    ].join("\n");
    const checked = await check("categories", csv);
    expect(checked).toMatchObject({
      state: "checked",
      total: 5,
      created: 1,
      updated: 1,
      problems: 3,
      columns: ["Name", "Slug", "Description", "Colour"],
      mapping: ["name", "slug", "description", null],
      problemRows: [
        { line: 4, problem: "Name: Name is required" },
        { line: 5, name: "fresh", problem: "Line 3 changes the same entry" },
        { line: 6, name: "a,b", problem: "Name: Names can't contain commas" },
      ],
    });
    expect((await admin.call("GET", `/api/categories/${id}`)).json.name).toBe("Old name");

    const done = await apply(checked.id);
    expect(done).toMatchObject({ state: "done", done: 5, created: 1, updated: 1, problems: 3 });
    const { json } = await admin.call("GET", `/api/categories/${id}`);
    expect(json).toMatchObject({ name: "New name", description: "Changed" });
    expect((await admin.call("GET", "/api/categories/fresh")).status).toBe(200);
    const problems = await admin.call("GET", `/api/admin/imports/${checked.id}/problems`);
    expect(problems.text).toContain("fresh,,again,,5,Line 3 changes the same entry\r\n");
    expect((await admin.call("POST", `/api/admin/imports/${checked.id}/start`)).status).toBe(409);
  });

  it("skips blank rows and counts their lines", async () => {
    const checked = await check("tags", "name;slug\n;\nAfter a blank row;\n ;;;\n");
    expect(checked).toMatchObject({ total: 1, created: 1, problemRows: [] });
    const { problemRows } = await check("tags", 'name;slug\n;\n"a,b";\n');
    expect(problemRows).toMatchObject([{ line: 3 }]);
  });

  it("exports cells beyond the header with their problem", async () => {
    const { id } = await check("tags", 'name;slug\n\nLast;;;"a;b";=c\n');
    const problem = "The row has more cells than the header";
    const { text } = await admin.call("GET", `/api/admin/imports/${id}/problems`);
    expect(text).toBe(`name,slug,line,problem\r\nLast,,3,${problem},,"a;b",'=c\r\n`);
  });

  it.each(["1.000", "10,000", "0x10", "-1", "2.5"])(
    "refuses %s as a number of an ad",
    async (cell) => {
      const csv = `title;type;placement;weight;totalLimit\nSpot;banner;footer;;${cell}\n`;
      const { problemRows } = await check("ads", csv);
      expect(problemRows).toMatchObject([
        { problem: "Total limit must be a whole number such as 1000" },
      ]);
    },
  );

  it("updates only the fields of its columns, by id or slug", async () => {
    const video = await makeVideo(app.db, { title: "First", description: "Kept" });
    const other = await makeVideo(app.db, { title: "Second", is_premium: true });
    const csv = `slug,id,title,premium,tags\n${video.slug},,Renamed,yes,"a, b"\n,${other.id},Second,,\n`;
    const { id, updated, unchanged } = await check("videos", csv);
    expect({ updated, unchanged }).toEqual({ updated: 1, unchanged: 1 });
    await apply(id);
    const { json } = await admin.call("GET", `/api/videos/${video.id}`);
    expect(json).toMatchObject({ title: "Renamed", description: "Kept", isPremium: true });
    expect(json.tags.map(({ tag }: { tag: { name: string } }) => tag.name)).toEqual(["a", "b"]);
    expect((await admin.call("GET", `/api/videos/${other.id}`)).json.version).toBe(1);
  });

  it("keeps more labels than allowed if their cell is unchanged", async () => {
    const tags = [];
    for (let n = 0; n <= limits.labelsPerVideoMax; n += 1) tags.push(await makeTag(app.db));
    const { slug } = await makeVideo(app.db, {}, { tagIds: tags.map(({ id }) => id) });
    const csv = (...names: string[]) => `slug,title,tags\n${slug},Renamed,"${names.join(", ")}"`;
    const names = tags.map(({ name }) => name);
    expect(await check("videos", csv(...names))).toMatchObject({ updated: 1, problems: 0 });
    const { problemRows } = await check("videos", csv(...names.toReversed()));
    expect(problemRows).toMatchObject([{ problem: "Tags: at most 50 names" }]);
  });

  it("reports a name with a comma in a list", async () => {
    const { slug } = await makeVideo(app.db);
    const { problemRows } = await check("videos", `slug,tags\n${slug},"""a,b"", c"`);
    expect(problemRows).toMatchObject([{ problem: "Tags: Names can't contain commas" }]);
  });

  it("sets translations from a cell and refuses an invalid cell", async () => {
    const { id } = await makeVideo(app.db, { slug: "translated" });
    const csv = (cell: string) => `slug,translations\ntranslated,"${cell.replaceAll('"', '""')}"`;
    const checked = await check("videos", csv('{"de":{"title":"Webstuhl"}}'));
    expect(checked.updated).toBe(1);
    await apply(checked.id);
    const translationsOf = async () =>
      (await admin.call("GET", `/api/videos/${id}`)).json.translations;
    expect(await translationsOf()).toEqual({ de: { title: "Webstuhl" } });
    for (const cell of ["de: Webstuhl", '{"de":"Webstuhl"}', "[1]"]) {
      const { problemRows } = await check("videos", csv(cell));
      expect([cell, problemRows.length]).toEqual([cell, 1]);
    }
    await apply((await check("videos", csv(""))).id);
    expect(await translationsOf()).toBeUndefined();
  });

  it("makes a podcast of a label's feed from a cell, and exports it", async () => {
    const { slug } = await makeTag(app.db);
    const checked = await check("tags", `slug,isPodcast\n${slug},yes`);
    expect(checked).toMatchObject({ updated: 1, problems: 0 });
    await apply(checked.id);
    expect((await admin.call("GET", `/api/tags/${slug}`)).json.isPodcast).toBe(true);
    const [header = "", ...rows] = (await exportOf("tags")).split("\r\n");
    const row = rows.find((each) => each.includes(slug)) ?? "";
    expect(row.split(",")[header.split(",").indexOf("isPodcast")]).toBe("true");
  });

  it("sets the order of a series from a cell, and names a video that isn't in it", async () => {
    const { db } = app;
    const { id, slug } = await makeTag(db, { is_series: true });
    const [one, two, three] = [
      await makeVideo(db, {}, { tagIds: [id] }),
      await makeVideo(db, {}, { tagIds: [id] }),
      await makeVideo(db, {}, { tagIds: [id] }),
    ];
    const stranger = await makeVideo(db);
    const rowOf = (...slugs: string[]) => `slug,videos\n${slug},"${slugs.join(",")}"`;
    const refused = await check("tags", rowOf(three.slug, stranger.slug));
    expect(refused.problemRows[0].problem).toBe(`videos: “${stranger.slug}” isn't in this series`);
    const same = await check("tags", rowOf(one.slug, two.slug));
    expect(same).toMatchObject({ unchanged: 1, updated: 0 });
    const checked = await check("tags", rowOf(three.slug, one.slug));
    expect(checked).toMatchObject({ updated: 1, problems: 0 });
    await apply(checked.id);
    const csv = await exportOf("tags");
    expect(csv).toContain([three.slug, one.slug, two.slug].join(", "));
  });

  it("sets visibility and embedding from cells and leaves them unchanged if cells are empty", async () => {
    const video = await makeVideo(app.db);
    const other = await makeVideo(app.db, { visibility: "private" });
    const wrong = await makeVideo(app.db);
    const csv = `id,Visibility,Embedding\n${video.id},Unlisted,Nobody\n${other.id},,\n${wrong.id},hidden,\n`;
    const { id, updated, unchanged, problemRows } = await check("videos", csv);
    expect({ updated, unchanged }).toEqual({ updated: 1, unchanged: 1 });
    expect(problemRows).toMatchObject([
      { line: 4, problem: "Visibility must be one of public, unlisted, private" },
    ]);
    await apply(id);
    const read = async (path: string) => (await admin.call("GET", path)).json;
    expect(await read(`/api/videos/${video.id}`)).toMatchObject({
      visibility: "unlisted",
      embedding: "nobody",
    });
    const { videos, total } = await read("/api/admin/videos?visibility=private");
    expect([total, videos[0].id]).toEqual([1, other.id]);
    expect((await admin.call("GET", "/api/admin/videos?visibility=hidden")).status).toBe(400);
  });

  it.each([
    ["WAHR", "FALSCH"],
    ["VRAI", "FAUX"],
    ["VERDADERO", "FALSO"],
    ["VERDADEIRO", "FALSO"],
    ["PRAWDA", "FAŁSZ"],
  ])("reads %s and %s, which spreadsheets in other languages write", async (yes, no) => {
    const { id } = await makeVideo(app.db, { is_premium: true });
    const csv = `id;isPremium;isSensitive\n${id};${yes};${no}\n`;
    expect(await check("videos", csv)).toMatchObject({ unchanged: 1, problemRows: [] });
  });

  it("adds videos from the import folder, and refuses files outside of it", async () => {
    const csv = [
      "file,title,published",
      "series/night_walk.mp4,,true",
      "notes.txt,Notes,",
      "outside.mp4,Link,",
      "../../etc/hostname,Above,",
      ",Nothing,",
    ].join("\n");
    const checked = await check("videos", csv);
    expect(checked.problemRows.map(({ line }: { line: number }) => line)).toEqual([4, 5, 6]);
    const done = await apply(checked.id);
    expect(done).toMatchObject({ created: 1, problems: 4 });
    expect(done.problemRows[0]).toMatchObject({ line: 3, name: "Notes" });
    const { json } = await admin.call("GET", "/api/admin/videos?search=night walk");
    expect(json.videos[0]).toMatchObject({ title: "night walk", isPublished: true });
    // After a crash that happens before the result is stored, the row runs again.
    await app.db.updateTable("import_rows").set({ is_applied: false }).execute();
    await app.db.updateTable("imports").set({ state: "running" }).execute();
    await runJob(checked.id);
    expect((await admin.call("GET", "/api/admin/videos?search=night walk")).json.total).toBe(1);
    const { json: folder } = await admin.call("GET", "/api/admin/import-folder");
    expect(folder.files.map(({ path }: { path: string }) => path)).toEqual([
      "series/night_walk.mp4",
    ]);
  });

  it("gives a new video the slug of its row, so that a second import finds it", async () => {
    const file = "series/night_walk.mp4";
    const csv = [
      "slug,title,file",
      `Cafe\u0301-42,Own address,${file}`,
      `caf\u00e9-42,Same address,${file}`,
      `two words,Invalid,${file}`,
      `taken-later,Late,${file}`,
    ].join("\n");
    const checked = await check("videos", csv);
    expect(checked).toMatchObject({
      created: 2,
      problemRows: [
        { line: 3, problem: "Line 2 changes the same entry" },
        { line: 4, problem: expect.stringContaining("Slug: The address can only contain") },
      ],
    });
    const other = await makeVideo(app.db, { title: "Other", slug: "taken-later" });
    expect(await apply(checked.id)).toMatchObject({ created: 1, updated: 0, problems: 3 });
    const { json } = await admin.call("GET", `/api/videos/${encodeURIComponent("caf\u00e9-42")}`);
    expect(json.title).toBe("Own address");
    expect((await admin.call("GET", `/api/videos/${other.id}`)).json.title).toBe("Other");
    const again = await check("videos", csv.split("\n").slice(0, 2).join("\n"));
    expect(again).toMatchObject({ created: 0, unchanged: 1 });
  });

  it("refuses addresses inside the network of the server in the check", async () => {
    const { created, problemRows } = await check(
      "videos",
      [
        "url",
        "http://127.0.0.1:1/a.mp4",
        "http://[::1]/a.mp4",
        "http://localhost/a.mp4",
        "http://me:secret@1.1.1.1/a.mp4",
        "ftp://example.com/a.mp4",
        "http://1.1.1.1/a.mp4",
      ].join("\n"),
    );
    expect(problemRows.map(({ problem }: { problem: string }) => problem)).toEqual([
      "address: isn't on the public internet",
      "address: isn't on the public internet",
      "address: isn't on the public internet",
      "address: can't contain a user name or password",
      "address: must be an HTTP or HTTPS URL",
    ]);
    // The last one is public, and the check sends no request.
    expect(created).toBe(1);
  });

  it("stops when cancelled", async () => {
    const { id } = await check("tags", "name\none\ntwo\n");
    await admin.call("POST", `/api/admin/imports/${id}/start`);
    await admin.call("POST", `/api/admin/imports/${id}/cancel`);
    await runJob(id);
    expect(await read(id)).toMatchObject({ state: "cancelled", created: 0 });
    expect((await admin.call("GET", "/api/tags/one")).status).toBe(404);
  });

  it("gets another job only if it is unfinished and has lost its own", async () => {
    const { id } = await check("tags", "name\nlost\n");
    const removeJobs = () =>
      sql`delete from pgboss.job where data->>'importId' = ${id}`.execute(app.db);
    const countJobs = async () => {
      await app.runJob("jobs.requeue");
      const { rows } = await sql`
        select from pgboss.job where name = 'import.run' and data->>'importId' = ${id}`.execute(
        app.db,
      );
      return rows.length;
    };
    await removeJobs();
    expect(await countJobs()).toBe(0);
    await admin.call("POST", `/api/admin/imports/${id}/start`);
    expect(await countJobs()).toBe(1);
    await removeJobs();
    expect(await countJobs()).toBe(1);
  });

  it("stops after the user who started it was demoted", async () => {
    const { id } = await check("ads", "title,type,placement\nLate,banner,footer\n");
    await admin.call("POST", `/api/admin/imports/${id}/start`);
    const { created_by_email: email } = await app.db
      .selectFrom("imports")
      .select("created_by_email")
      .where("id", "=", id)
      .executeTakeFirstOrThrow();
    const setRole = (role: "ADMIN" | "EDITOR") =>
      app.db.updateTable("users").set({ role }).where("email", "=", email).execute();
    await setRole("EDITOR");
    await runJob(id);
    await setRole("ADMIN");
    expect(await read(id)).toMatchObject({
      state: "failed",
      created: 0,
      failureReason: `Stopped because ${email} no longer has permission for this. Changes made before that are saved.`,
    });
  });

  it.each([
    ["", /no rows below the header/],
    ["name\n", /no rows below the header/],
    ['name\n"open', /Line 2: a quotation mark is not closed/],
    [new Uint8Array([0xff, 0xfe, 0x61, 0x00]), /UTF-8 text/],
  ])("refuses a file that isn't CSV", async (csv, message) => {
    const { status, json } = await send("tags", csv);
    expect([status, json.message]).toEqual([400, expect.stringMatching(message)]);
  });

  it("refuses a mapping that doesn't fit and kinds that the user may not import", async () => {
    const { json } = await send("tags", "a,b\nc,d\n");
    const path = `/api/admin/imports/${json.id}/check`;
    for (const mapping of [[null, null], ["name"], ["name", "name"], ["name", "isPremium"]]) {
      expect((await admin.call("POST", path, { mapping })).status).toBe(400);
    }
    const ads = await send("ads", "title,type,placement\nA,banner,header\n");
    const editor = createClient(app.url, await app.signIn("EDITOR"));
    expect((await editor.call("GET", `/api/admin/imports/${ads.json.id}`)).status).toBe(403);
    const { json: list } = await editor.call("GET", "/api/admin/imports");
    expect(list.map(({ kind }: { kind: string }) => kind)).not.toContain("ads");
  });

  it("publishes no video for an API token without that scope", async () => {
    const body = { name: "import", scopes: ["content.edit"] };
    const { token } = (await admin.call("POST", "/api/account/tokens", body)).json;
    const program = (path: string, sent?: unknown) =>
      createClient(app.url).call("POST", path, sent, { authorization: `Bearer ${token}` });
    const { slug } = await makeVideo(app.db, { is_published: false });
    for (const [field, value, status] of [
      ["isPublished", "true", 403],
      ["visibility", "public", 403],
      ["title", "New title", 202],
    ] as const) {
      const { json } = await send("videos", `slug,${field}\n${slug},${value}\n`);
      const path = `/api/admin/imports/${json.id}`;
      const mapping = ["slug", field];
      const checked = await program(`${path}/check`, { mapping });
      expect({ field, status: checked.status }).toEqual({ field, status });
      await admin.call("POST", `${path}/check`, { mapping });
      await runJob(json.id);
      expect({ field, status: (await program(`${path}/start`)).status }).toEqual({ field, status });
    }
  });
});
