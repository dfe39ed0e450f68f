import { spawnSync } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { mkdir, readFile, readdir, rename, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createTestDatabase, type TestDatabase } from "#test/database.ts";
import { makeVideo } from "#test/factories/make-video.ts";
import { newId } from "#server/lib/ids.ts";
import { createLogger } from "#server/lib/logger.ts";
import { findOutsideCause } from "#server/media/run/failure-causes.ts";
import { readConfig } from "./config.ts";
import { adoptStorage, openCurrentStorage, openStorage } from "./open-storage.ts";
import { makeFolder } from "#test/shared.ts";

let folder: string;
let database: TestDatabase;
beforeEach(async () => {
  folder = makeFolder("places");
  database = await createTestDatabase();
});
afterEach(async () => {
  await database.drop();
});

const configOf = (name: string) => readConfig({ DATA_DIR: join(folder, name) });
const logger = createLogger("silent");
const openAt = (name: string) => openStorage(configOf(name), database.db, logger);
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
    const start = () => openStorage(configOf("data"), other.db, logger);
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

test("refuses every write while another storage is mounted in its place", async () => {
  const { storage } = await openAt("data");
  await storage.putBytes("a/before", "bytes");
  await rename(join(folder, "data"), join(folder, "away"));
  await mkdir(join(folder, "data/storage/objects"), { recursive: true });
  const refusal = { status: 507, message: expect.stringContaining("nothing was saved") };
  await expect(storage.createScratch()).rejects.toMatchObject(refusal);
  await expect(storage.putBytes("a/during", "bytes")).rejects.toMatchObject(refusal);
  expect(await readdir(join(folder, "data/storage/objects"))).toEqual([]);
  await rm(join(folder, "data"), { recursive: true });
  await rename(join(folder, "away"), join(folder, "data"));
  await storage.putBytes("a/after", "bytes");
  expect(await storage.findStat("a/before")).not.toBeNull();
});

test("doesn't confirm a write during which the storage was exchanged", async () => {
  const { storage } = await openAt("data");
  const source = join(folder, "source");
  await writeFile(source, "bytes");
  const id = join(folder, "data/storage/storage-id");
  const write = storage.putFile("a/file", source, {
    // Read after the first check of the ID and before the bytes are copied.
    signal: Object.assign(new AbortController().signal, {
      throwIfAborted: () => writeFileSync(id, "another site's"),
    }),
  });
  await expect(write).rejects.toMatchObject({ code: "storage_unwritable" });
});

const canMount = process.getuid?.() === 0;
test.runIf(canMount)("explains a read-only disk and blames no file for it", async () => {
  const { storage } = await openAt("data");
  const root = join(folder, "data");
  if (spawnSync("mount", ["--bind", root, root]).status !== 0) return;
  try {
    expect(spawnSync("mount", ["-o", "remount,bind,ro", root]).status).toBe(0);
    const refusals = await Promise.all([
      storage.createScratch().catch((error: unknown) => error),
      storage.putBytes("b/one", "bytes").catch((error: unknown) => error),
      mkdir(join(root, "storage/objects/c/d"), { recursive: true }).catch(
        (error: unknown) => error,
      ),
    ]);
    await expect(storage.checkHealth()).rejects.toThrow("The disk of DATA_DIR is read-only.");
    expect(refusals.slice(0, 2)).toMatchObject([{ status: 507 }, { status: 507 }]);
    // Node.js reports a missing folder for the last one, which no file causes.
    expect(refusals.map((error) => findOutsideCause(error)?.name)).toEqual(
      Array(3).fill("storage"),
    );
  } finally {
    spawnSync("umount", [root]);
  }
});

test("requires the variables of object storage", async () => {
  await database.db.updateTable("media_storage").set({ kind: "s3" }).execute();
  await expect(openAt("data")).rejects.toThrow(/^S3_ENDPOINT: not set, but the media/);
});

/** Configuration of a site on disk whose bucket is at this port. */
const withBucket = (port: number) => ({
  ...configOf("data"),
  s3: {
    endpoint: `http://127.0.0.1:${port}`,
    publicEndpoint: `http://127.0.0.1:${port}`,
    bucket: "kinora",
    accessKeyId: "id",
    secretAccessKey: "secret",
    region: "us-east-1",
    prefix: "",
    isPathStyle: true,
  },
});

test.each([
  [404, "NoSuchBucket", /^S3_BUCKET: http:\S+ has no bucket "kinora"\. Create it\.$/],
  [403, "SignatureDoesNotMatch", /^S3_SECRET_ACCESS_KEY: http:\S+ rejects it\./],
  [403, "RequestTimeTooSkewed", /^S3_ENDPOINT: the clocks of this machine and of http:\S+ differ/],
  [403, "InvalidAccessKeyId", /^S3_ACCESS_KEY_ID: http:\S+ doesn't know this key\./],
  [403, "AccessDenied", /^S3_ACCESS_KEY_ID: this key can't use the bucket "kinora"\./],
])(
  "refuses a bucket that responds with %i %s, even if media are on disk",
  async (status, code, line) => {
    await openAt("data");
    const server = createServer((_request, response) => {
      response.writeHead(status, { "content-type": "application/xml" });
      response.end(`<Error><Code>${code}</Code><Message>no</Message></Error>`);
    }).listen(0, "127.0.0.1");
    await once(server, "listening");
    try {
      const { port } = server.address() as AddressInfo;
      await expect(openStorage(withBucket(port), database.db, logger)).rejects.toThrow(line);
    } finally {
      server.closeAllConnections();
      server.close();
    }
  },
);

test.each([
  ["a new site", false],
  ["a site whose media are on disk", true],
])("refuses an endpoint that contains the bucket for %s", async (_site, isOnDisk) => {
  if (isOnDisk) await openAt("data");
  const written: unknown[] = [];
  const server = createServer(({ method, url = "" }, response) => {
    if (method === "PUT") written.push(url);
    const isFound = method === "PUT";
    response.writeHead(isFound ? 200 : 404, { "content-type": "application/xml" });
    response.end(isFound ? "" : "<Error><Code>NoSuchKey</Code></Error>");
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  try {
    const { port } = server.address() as AddressInfo;
    await expect(openStorage(withBucket(port), database.db, logger)).rejects.toThrow(
      /^S3_ENDPOINT: this address already contains the bucket "kinora"\. Use the address without/,
    );
    expect(written).toEqual([]);
  } finally {
    server.closeAllConnections();
    server.close();
  }
});

test("opens both storages for a command while a migration is unfinished", async () => {
  const server = createServer(({ url = "" }, response) => {
    const isList = url.includes("list-type=2");
    response.writeHead(isList ? 200 : 404, { "content-type": "application/xml" });
    const contents = "<Contents><Key>v/a/in-bucket</Key><Size>5</Size></Contents>";
    response.end(
      isList
        ? `<ListBucketResult>${contents}</ListBucketResult>`
        : "<Error><Code>NoSuchKey</Code></Error>",
    );
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  try {
    await (await openAt("data")).storage.putBytes("v/a/on-disk", "bytes");
    await database.db
      .updateTable("media_storage")
      .set({ kind: "s3", other_kind: "disk", other_storage_id: newId() })
      .execute();
    const { port } = server.address() as AddressInfo;
    const storage = await openCurrentStorage(withBucket(port), database.db);
    const keys: string[] = [];
    for await (const { key } of storage.list("")) keys.push(key);
    expect(keys).toEqual(["v/a/in-bucket", "v/a/on-disk"]);
    expect((await storage.readBytes("v/a/on-disk", 10)).toString()).toBe("bytes");
    await expect(openCurrentStorage(configOf("data"), database.db)).rejects.toThrow(
      "S3_ENDPOINT: not set",
    );
  } finally {
    server.closeAllConnections();
    server.close();
  }
});

test("starts without an unused bucket that doesn't respond, with a warning", async () => {
  const warn = vi.spyOn(logger, "warn");
  await openAt("data");
  const { storage } = await openStorage(withBucket(1), database.db, logger);
  expect(storage.currentKind()).toBe("disk");
  expect(warn).toHaveBeenCalledOnce();
});
