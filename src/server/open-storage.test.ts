import { mkdir, mkdtemp, readFile, rename, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createTestDatabase, type TestDatabase } from "#test/database.ts";
import { makeVideo } from "#test/factories/make-video.ts";
import { adoptStorage, openStorage } from "./open-storage.ts";

let folder: string;
let database: TestDatabase;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "kinora-places-"));
  database = await createTestDatabase();
});
afterEach(async () => {
  await database.drop();
  await rm(folder, { recursive: true, force: true });
});

const configOf = (name: string) => ({ dataDir: join(folder, name), accelRedirect: null, s3: null });
const openAt = (name: string) => openStorage(configOf(name), database.db);
const idOf = (name: string) => readFile(join(folder, name, "storage/storage-id"), "utf8");

test("assigns the storage an id at the first start, and finds it later", async () => {
  const [{ storage }] = await Promise.all([openAt("data"), openAt("data"), openAt("data")]);
  const id = await idOf("data");
  expect(id).toMatch(/^[0-9a-f-]{36}\n$/);
  await openAt("data");
  expect(await idOf("data")).toBe(id);
  await storage.checkHealth();
  const keys: string[] = [];
  for await (const { key } of storage.list("")) keys.push(key);
  expect(keys).toEqual([]);
});

test("continues a start interrupted between storage and database", async () => {
  const { storage_id: id } = await database.db
    .selectFrom("media_storage")
    .select("storage_id")
    .executeTakeFirstOrThrow();
  await mkdir(join(folder, "data/storage"), { recursive: true });
  await writeFile(join(folder, "data/storage/storage-id"), `${id}\n`);
  const { storage } = await openAt("data");
  expect(storage.currentKind()).toBe("disk");
});

test("refuses to start with an unmounted folder, and adopts the folder on request", async () => {
  await openAt("data");
  await rename(join(folder, "data"), join(folder, "away"));
  await expect(openAt("data")).rejects.toThrow(
    /^DATA_DIR: ".*\/data\/storage" isn't the media storage of this site: it has no ID\. Is it mounted\?/,
  );
  expect(await adoptStorage(configOf("data"), database.db)).toBe("disk");
  await openAt("data");
  expect(await idOf("data")).toBe(await idOf("away"));
});

test("refuses to start with another database's storage", async () => {
  await openAt("data");
  const other = await createTestDatabase();
  try {
    await other.db
      .updateTable("media_storage")
      .set({ storage_id: "00000000-0000-7000-8000-000000000001" })
      .execute();
    const start = () => openStorage(configOf("data"), other.db);
    await expect(start()).rejects.toThrow(
      /^DATA_DIR: ".*" is the media storage of another site or database\. If it is the right one/,
    );
    await adoptStorage(configOf("data"), other.db);
    await start();
  } finally {
    await other.drop();
  }
});

test("refuses an empty folder as the storage of a site with media", async () => {
  await makeVideo(database.db, { source_key: "sources/one" });
  await expect(openAt("data")).rejects.toThrow(/it has no ID\. Is it mounted/);
  await mkdir(join(folder, "data/storage/objects/sources"), { recursive: true });
  await writeFile(join(folder, "data/storage/objects/sources/one"), "bytes");
  await openAt("data");
});

test("reports the storage as unhealthy after it is removed", async () => {
  const { storage } = await openAt("data");
  await rm(join(folder, "data/storage/storage-id"));
  await expect(storage.checkHealth()).rejects.toThrow("has another ID, or none");
});

test("requires the variables of object storage", async () => {
  await database.db.updateTable("media_storage").set({ kind: "s3" }).execute();
  await expect(openAt("data")).rejects.toThrow(/^S3_ENDPOINT: not set, but the media/);
});
