import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { createClient, useTestApp } from "#test/app.ts";
import { newToken } from "#server/lib/ids.ts";
import { clipMaker, writeTree, ytDlpVideo } from "./other-sites.fixture.ts";

const importDir = join(tmpdir(), `kinora-site-${newToken(6)}`);
const app = useTestApp({ env: { IMPORT_DIR: importDir } });
let admin: ReturnType<typeof createClient>;
beforeAll(async () => {
  const clip = await clipMaker();
  await writeTree(join(importDir, "old"), {
    ...ytDlpVideo("a", { id: "a", title: "Office one", view_count: 7 }, clip(101)),
    ...ytDlpVideo("b", { id: "b", title: "Office two" }, clip(102)),
    "c.info.json": "{",
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

  const again = await check({ path: "old" });
  expect(await read(again)).toMatchObject({ created: 0, unchanged: 2, problems: 1 });
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
