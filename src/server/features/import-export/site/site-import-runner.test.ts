import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { createClient, useTestApp } from "#test/app.ts";
import { makeTag } from "#test/factories/make-label.ts";
import { newToken } from "#server/lib/ids.ts";
import { addProblems } from "../imports/imports.repository.ts";
import { clipMaker, writeTree, ytDlpVideo } from "./other-sites.fixture.ts";

const importDir = join(tmpdir(), `kinora-site-${newToken(6)}`);
const app = useTestApp({ env: { IMPORT_DIR: importDir } });
let admin: ReturnType<typeof createClient>;
let sizeBytes = 0;
beforeAll(async () => {
  const clip = await clipMaker();
  sizeBytes = clip(101).length;
  await writeTree(join(importDir, "old"), {
    ...ytDlpVideo("a", { id: "a", title: "Office one", view_count: 7 }, clip(101)),
    ...ytDlpVideo("b", { id: "b", title: "Office two", timestamp: 0 }, clip(102)),
    "c.info.json": "{",
  });
  await writeTree(importDir, {
    "map.csv": "from,to\n/clips/a.html,a\n/clips/none.html,unknown\n/home,b\n",
  });
  admin = createClient(app.url, await app.signIn());
});
afterAll(() => rm(importDir, { recursive: true, force: true }));

const create = async (body: object, as = admin) => as.call("POST", "/api/admin/imports/site", body);
const read = async (id: string) => (await admin.call("GET", `/api/admin/imports/${id}`)).json;

async function check(body: object): Promise<string> {
  const { status, json } = await create(body);
  expect(status).toBe(202);
  await app.runJob("import.run", { importId: json.id });
  return json.id;
}

it("checks a folder, imports it on request, and finds nothing new afterwards", async () => {
  const id = await check({ path: "old", publishes: true, counts: true });
  expect(await read(id)).toMatchObject({
    ...{ kind: "site", state: "checked", total: 3, created: 2, problems: 1 },
    note: expect.stringContaining("to import"),
    problemRows: [{ line: 3, problem: "not valid JSON" }],
  });
  expect((await admin.call("GET", "/api/videos?search=office")).json.total).toBe(0);

  expect((await admin.call("POST", `/api/admin/imports/${id}/start`)).status).toBe(202);
  await app.runJob("import.run", { importId: id });
  expect(await read(id)).toMatchObject({ state: "done", created: 2, problems: 1, done: 3 });
  const { json } = await admin.call("GET", "/api/videos/office-one");
  expect(json).toMatchObject({ isPublished: true, views: 7 });

  const origin = await admin.call("GET", `/api/admin/videos/${json.id}/origin`);
  expect(origin.json).toEqual({ origin: { source: "other", sourceId: "a" } });

  const again = await check({ path: "old" });
  expect(await read(again)).toMatchObject({ created: 0, unchanged: 2, problems: 1 });
});

it("reports what was repaired, in the page and in the report of all videos", async () => {
  const id = await check({ path: "old" });
  const text = async () => (await admin.call("GET", `/api/admin/imports/${id}/problems`)).text;
  expect((await read(id)).notedRows).toEqual([]);
  expect(await text()).toContain("already here,Office two,b.mp4,");
  // As if they hadn't been imported.
  await app.db.deleteFrom("video_origins").execute();
  const next = await check({ path: "old" });
  const note = "publication date not used (1970)";
  expect((await read(next)).notedRows).toEqual([{ line: 2, name: "Office two", note }]);
  await admin.call("POST", `/api/admin/imports/${next}/start`);
  await app.runJob("import.run", { importId: next });
  const { notedRows } = await read(next);
  expect(notedRows).toContainEqual(
    expect.objectContaining({ name: "Office two", note: expect.stringContaining(note) }),
  );
  const report = (await admin.call("GET", `/api/admin/imports/${next}/problems`)).text;
  expect(report).toMatch(/added,Office two,b.mp4,"?publication date not used \(1970\)/);
  expect(report).toMatch(/refused,,c.info.json,not valid JSON/);
});

it("checks a map of old addresses, and adds them after the videos", async () => {
  const id = await check({ path: "old", redirects: "map.csv" });
  const problems = [
    'line 3: /clips/none.html: there is no video "unknown"',
    "line 4: /home: this site has a page at that address",
  ];
  const rows = async () =>
    (await read(id)).problemRows.map(({ problem }: { problem: string }) => problem);
  expect(await rows()).toEqual(["not valid JSON", ...problems]);
  expect((await admin.call("GET", "/clips/a.html")).status).toBe(404);
  await admin.call("POST", `/api/admin/imports/${id}/start`);
  await app.runJob("import.run", { importId: id });
  expect(await rows()).toEqual(["not valid JSON", ...problems]);
  const saved = await app.db
    .selectFrom("old_addresses")
    .innerJoin("video_origins", "video_origins.video_id", "old_addresses.video_id")
    .select(["address", "source_id"])
    .where("address", "like", "/clips/%")
    .execute();
  expect(saved).toEqual([{ address: "/clips/a.html", source_id: "a" }]);
});

it("appends all videos to an existing series at the end, also those of a cancelled import", async () => {
  const { siteImports, labels } = app.context;
  const clip = await clipMaker();
  const files = [1, 2, 3].map((number) => {
    const about = { playlist: "Late mix", playlist_index: number };
    const info = { id: `mix${number}`, title: `Mix ${number}`, ...about };
    return ytDlpVideo(`mix${number}`, info, clip(110 + number));
  });
  await writeTree(join(importDir, "mix"), Object.assign({}, ...files));
  const tag = await makeTag(app.db, { name: "Late mix", is_series: true });
  const id = await check({ path: "mix" });
  await admin.call("POST", `/api/admin/imports/${id}/start`);
  const run = () => app.runJob("import.run", { importId: id });
  const original = siteImports.add;
  let calls = 0;
  siteImports.add = async (...given) => {
    calls += 1;
    if (calls === 2) throw Object.assign(new Error("lost"), { code: "57P01" });
    const added = await original(...given);
    if (calls === 3) await admin.call("POST", `/api/admin/imports/${id}/cancel`);
    return added;
  };
  try {
    await expect(run()).rejects.toThrow("lost");
    await run();
  } finally {
    siteImports.add = original;
  }
  expect(await read(id)).toMatchObject({ state: "cancelled", created: 1 });
  const listParts = async () => {
    const { videos } = await labels.series.getOrder("tags", tag.id, { limit: 10, offset: 0 });
    return videos.map(({ title }) => title);
  };
  expect(await listParts()).toEqual([]);
  const next = await check({ path: "mix" });
  expect(await read(next)).toMatchObject({ created: 1, unchanged: 2 });
  await admin.call("POST", `/api/admin/imports/${next}/start`);
  await app.runJob("import.run", { importId: next });
  expect(await listParts()).toEqual(["Mix 1", "Mix 2", "Mix 3"]);
});

it("adds no problems of a map to an import that was cancelled meanwhile", async () => {
  const id = await check({ path: "old" });
  await admin.call("POST", `/api/admin/imports/${id}/cancel`);
  const problem = { id: crypto.randomUUID(), name: "map.csv", problem: "line 2: no video" };
  await addProblems(app.db, id, [problem]);
  expect(await read(id)).toMatchObject({ state: "cancelled", total: 3, problems: 1 });
});

it("refuses a source that doesn't fit as a whole, before anything is imported", async () => {
  await app.db.deleteFrom("video_origins").execute();
  const { storage } = app.context;
  const original = storage.findFreeBytes;
  // Enough for each of the two videos, but not for both.
  storage.findFreeBytes = async () => sizeBytes * 2 + 100;
  try {
    const id = await check({ path: "old" });
    expect(await read(id)).toMatchObject({
      state: "failed",
      failureReason: expect.stringMatching(
        /^Nothing was imported, because the source needs .* is free/,
      ),
    });
    expect((await admin.call("POST", `/api/admin/imports/${id}/start`)).status).toBe(409);
  } finally {
    storage.findFreeBytes = original;
  }
});

it("fails in a sentence for a path outside of the import folder", async () => {
  const id = await check({ path: "../.." });
  expect(await read(id)).toMatchObject({
    state: "failed",
    failureReason: '"../.." isn\'t in the import folder.',
  });
});

it("stops for a user who may not import", async () => {
  const analyst = createClient(app.url, await app.signIn("ANALYST"));
  expect((await create({ path: "old" }, analyst)).status).toBe(403);
});
