import { spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { mkdtemp, readFile, readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { sql, type PostgresPool, type PostgresPoolClient } from "kysely";
import { Secret, TOTP } from "otpauth";
import { beforeAll, expect, test } from "vitest";
import { createClient, useTestApp } from "#test/app.ts";
import { createEmptyDatabase, type TestDatabase } from "#test/database.ts";
import { makeAd } from "#test/factories/make-ad.ts";
import { makeVideo } from "#test/factories/make-video.ts";
import { hashMedia, hashTables, sha256 } from "#test/site-content.ts";
import { createPool, createDb, createDbOn, queryablePool } from "#server/db/connection.ts";
import { addPartitions, listPartitions } from "#server/db/partitions.ts";
import { getSecret } from "#server/db/secrets.ts";
import { createAuthService } from "#server/features/auth/auth.service.ts";
import { AppError, OperatorError } from "#server/lib/app-error.ts";
import { systemClock } from "#server/lib/clock.ts";
import { createLogger } from "#server/lib/logger.ts";
import { createLocalStorage } from "#server/storage/local.storage.ts";
import { createBackup } from "./create-backup.ts";
import { restoreBackup } from "./restore-backup.ts";
import { makeFolder } from "#test/shared.ts";

const secretsKey = "a key that the operator keeps elsewhere";
const code = () => new TOTP({ secret: Secret.fromBase32(authenticator) }).generate();
/** Secret of the administrator's authenticator app. */
let authenticator: string;
const folder = makeFolder("backup");
let cookie: string;
let file: string;
const media = new Map([
  ["sources/0198", randomBytes(3_000_000)],
  [`v/${"long-token-".repeat(9)}/${"step-".repeat(9)}/playlist.m3u8`, Buffer.from("#EXTM3U\n")],
  ["public/empty.json", Buffer.alloc(0)],
]);
const mediaHashes = new Map(Array.from(media, ([key, bytes]) => [key, sha256(bytes)]));

const app = useTestApp({ env: { SECRETS_KEY: secretsKey } });
beforeAll(async () => {
  file = join(folder, "site.backup");
  cookie = await app.signIn();
  const { db } = app;
  const admin = createClient(app.url, cookie);
  await admin.call("POST", "/api/categories", { name: "Quotes \" ' \\ {a,b}", description: null });
  await makeVideo(db, { title: "line one\nline two\u2028\ttab, Straße 東京 🎬", description: "" });
  const { slug } = await makeVideo(db);
  await makeAd(db);
  authenticator = (await admin.call("POST", "/api/account/totp")).json.secret;
  await admin.call("POST", "/api/account/totp/confirm", { code: code() });
  const visitor = createClient(app.url);
  await visitor.call("POST", `/api/videos/${slug}/like`);
  // Adds the partitions of a site older than the restored one.
  const now = new Date(Date.now() + 70 * 86_400_000);
  await addPartitions(db, { table: "watches", column: "updated_at", unit: "month", ahead: 1 }, now);
  await visitor.call("POST", `/api/videos/${slug}/watch`, { watchTime: 1.25, completed: false });
  for (const [key, bytes] of media) await app.context.storage.putBytes(key, bytes);
  const { storage } = app.context;
  await createBackup({ db, storage, file, passphrase: null });
});

/** Creates an empty site, which is deleted at the end of a test. */
async function createSite() {
  const database: TestDatabase = await createEmptyDatabase();
  // Uses one connection, like the command.
  await database.pool.end();
  const db = createDb(createPool(database.target, 1, createLogger("error")));
  const root = await mkdtemp(join(folder, "storage-"));
  return {
    db,
    target: database.target,
    root,
    storage: createLocalStorage({ root }),
    async [Symbol.asyncDispose]() {
      await db.destroy();
      await database.drop();
    },
  };
}

test("restores the same rows, files and valid sessions", async () => {
  await using site = await createSite();
  const report = await restoreBackup({ ...site, file, passphrase: null });
  expect(report).toMatchObject({ files: media.size, head: { hasMedia: true } });
  const before = await hashTables(app.db);
  expect(await hashTables(site.db)).toEqual(before);
  expect(Object.values(before).filter((hash) => !hash.startsWith("0 ")).length).toBeGreaterThan(12);
  expect(await hashMedia(site.storage)).toEqual(mediaHashes);

  expect(await listPartitions(site.db, "watches")).toEqual(await listPartitions(app.db, "watches"));

  const secret = await getSecret(site.db);
  expect(secret).toEqual(app.context.secret);
  const auth = createAuthService({ db: site.db, clock: systemClock, secret });
  expect(await auth.findUser(cookie.slice("session=".length))).toMatchObject({ role: "ADMIN" });
  const takeCode = async (key: string | null) => {
    const config = { ...app.context.config, secretsKey: key };
    // Later than the time step of the code used during set-up.
    const clock = { now: () => Date.now() + 60_000, date: () => new Date(Date.now() + 60_000) };
    const { factors } = createAuthService({ db: site.db, clock, secret, config });
    const { user_id: id } = await site.db
      .selectFrom("user_totp")
      .select("user_id")
      .executeTakeFirstOrThrow();
    const later = new TOTP({ secret: Secret.fromBase32(authenticator) }).generate({
      timestamp: clock.now(),
    });
    return site.db.transaction().execute((trx) => factors.take(trx, id, later));
  };
  expect(await takeCode(null)).toBeNull();
  expect(await takeCode(secretsKey)).toBe("app");
  // Triggers are enabled again, and sequences continue.
  const { id } = await makeVideo(site.db);
  const { rows } = await sql<{ number: number }>`
    select nextval('search_document_numbers')::int as number`.execute(site.db);
  expect(id).not.toBe("");
  expect(rows[0]?.number).toBeGreaterThan(2);
});

test("writes a tar archive that lists its checksums", async () => {
  const check = spawnSync("sh", ["-c", `tar -xf "$0" && sha256sum -c --quiet SHA256SUMS`, file], {
    cwd: await mkdtemp(join(folder, "unpacked-")),
    encoding: "utf8",
  });
  expect({ status: check.status, stderr: check.stderr }).toEqual({ status: 0, stderr: "" });
});

test("leaves a site with content, or with a running Kinora, unchanged", async () => {
  await using site = await createSite();
  await site.storage.putBytes("sources/mine", "mine");
  const restore = () => restoreBackup({ ...site, file, passphrase: null });
  await expect(restore()).rejects.toThrow("perhaps from an interrupted restore");
  expect([...(await hashMedia(site.storage)).keys()]).toEqual(["sources/mine"]);
  await expect(restoreBackup({ ...site, db: app.db, file, passphrase: null })).rejects.toThrow(
    "Kinora is running on this database. Stop it first.",
  );
});

test("leaves an empty site after a damaged or truncated file, and then accepts a good one", async () => {
  await using site = await createSite();
  const bytes = await readFile(file);
  const broken = join(folder, "broken");
  const restore = (path: string) => restoreBackup({ ...site, file: path, passphrase: null });
  const flipped = Buffer.from(bytes);
  const at = bytes.indexOf(media.get("sources/0198")?.subarray(0, 32) ?? "") + 1000;
  flipped[at] = (flipped[at] ?? 0) ^ 1;
  for (const [content, message] of [
    [bytes.subarray(0, bytes.length / 2), "The file is incomplete: it ends early."],
    [flipped, "The file is damaged: the checksum of media/sources/0198 doesn't match."],
    [randomBytes(5000), "The file isn't a backup of Kinora, or is damaged."],
    [Buffer.alloc(0), "The file is incomplete: it ends early."],
  ] as const) {
    await writeFile(broken, content);
    await expect(restore(broken)).rejects.toThrow(message);
    expect((await hashMedia(site.storage)).size).toBe(0);
  }
  await expect(restore(join(folder, "absent"))).rejects.toThrow("absent cannot be read (ENOENT");
  await expect(restore(folder)).rejects.toThrow("cannot be read (EISDIR");
  expect(await restore(file)).toMatchObject({ files: media.size });
});

test("names a full disk or lost storage, and not the file, as the cause of a failed restore", async () => {
  await using site = await createSite();
  for (const cause of [
    Object.assign(new Error("ENOSPC: no space left on device"), { code: "ENOSPC" }),
    new AppError("unavailable", "The storage can't be reached."),
  ]) {
    const storage = { ...site.storage, putFile: () => Promise.reject(cause) };
    const restored = restoreBackup({ ...site, storage, file, passphrase: null });
    await expect(restored).rejects.toThrow(`The restore stopped (${cause.message}).`);
  }
  expect(await restoreBackup({ ...site, file, passphrase: null })).toMatchObject({ files: 3 });
});

test("doesn't call a site empty whose restored files can't be deleted", async () => {
  await using site = await createSite();
  const cause = new AppError("unavailable", "The storage can't be reached.");
  let files = 0;
  const storage = {
    ...site.storage,
    putFile(...args: Parameters<typeof site.storage.putFile>) {
      files += 1;
      return files === 1 ? site.storage.putFile(...args) : Promise.reject(cause);
    },
    async *list(prefix: string) {
      if (files > 1) throw cause;
      yield* site.storage.list(prefix);
    },
  };
  const restored = restoreBackup({ ...site, storage, file, passphrase: null });
  await expect(restored).rejects.toThrow(
    /^The restore stopped \(The storage .*\)\. The database is empty, but some restored files couldn't/,
  );
});

test("restores media for longer than the database lets a transaction be idle", async () => {
  await using site = await createSite();
  const other = createPool(site.target, 1, createLogger("error"));
  await other.query(
    `alter database ${site.target.database} set idle_in_transaction_session_timeout = '200ms'`,
  );
  await other.end();
  const storage = {
    ...site.storage,
    async putFile(...args: Parameters<typeof site.storage.putFile>) {
      await wait(500);
      return site.storage.putFile(...args);
    },
  };
  const report = await restoreBackup({ ...site, storage, file, passphrase: null });
  expect(report.files).toBe(media.size);
});

test("keeps everything if only the schema update fails", async () => {
  await using site = await createSite();
  const other = createPool(site.target, 1, createLogger("error"));
  const storage = {
    ...site.storage,
    async putFile(...args: Parameters<typeof site.storage.putFile>) {
      // The update runs this migration again, which fails.
      await other.query("delete from kysely_migration where name = '20261129T0403_videos'");
      return site.storage.putFile(...args);
    },
  };
  const restored = restoreBackup({ ...site, storage, file, passphrase: null });
  await expect(restored).rejects.toThrow(
    /^Everything was restored, but the schema wasn't updated \(.* already exists .*\)\. Run "npm run migrate"\.$/,
  );
  await other.end();
  expect(await hashMedia(site.storage)).toEqual(mediaHashes);
  expect(await hashTables(site.db)).toEqual(await hashTables(app.db));
});

test.each([
  ["the next query finds the rows", false, 'Everything was restored, but .* Run "npm run migrate"'],
  ["the database is lost", true, "Connection terminated"],
])("keeps all files if the response to a commit is lost and %s", async (_, isLost, message) => {
  await using site = await createSite();
  const pool = createPool(site.target, 1, createLogger("error"));
  let state: "open" | "filling" | "lost" = "open";
  const lossy: PostgresPool = {
    ...queryablePool(pool),
    async connect() {
      const client = await queryablePool(pool).connect();
      const query = async (text: string, values: readonly unknown[]) => {
        if (state === "lost") throw new Error("Connection terminated unexpectedly");
        const result = await client.query(text, values);
        if (state === "open" || text !== "commit") return result;
        state = isLost ? "lost" : "open";
        throw new Error("Connection terminated unexpectedly");
      };
      return { query, release: () => client.release() } as PostgresPoolClient;
    },
  };
  const storage = {
    ...site.storage,
    putFile(...args: Parameters<typeof site.storage.putFile>) {
      state = "filling";
      return site.storage.putFile(...args);
    },
  };
  const restored = restoreBackup({ storage, db: createDbOn(lossy), file, passphrase: null });
  await expect(restored).rejects.toThrow(new RegExp(message));
  await pool.end();
  expect(await hashMedia(site.storage)).toEqual(mediaHashes);
  expect(await hashTables(site.db)).toEqual(await hashTables(app.db));
});

test("names a full disk as the cause of a failed backup", async () => {
  const { storage } = app.context;
  const openRead = () => Promise.reject(Object.assign(new Error("full"), { code: "ENOSPC" }));
  const target = join(folder, "full");
  await expect(
    createBackup({
      db: app.db,
      storage: { ...storage, openRead },
      file: target,
      passphrase: null,
    }),
  ).rejects.toThrow("can't be written: the disk is full");
});

test("refuses to back up an empty database, and leaves no file", async () => {
  await using site = await createSite();
  const target = join(folder, "no-site");
  const created = createBackup({ db: site.db, storage: null, file: target, passphrase: null });
  await expect(created).rejects.toThrow("The database is empty, so there is nothing to back up.");
  expect((await readdir(folder)).filter((name) => name.startsWith("no-site"))).toEqual([]);
});

test("refuses a backup that can't fit on the disk, before it writes anything", async () => {
  const { storage } = app.context;
  const target = join(folder, "large");
  const large = {
    ...storage,
    async *list() {
      yield { ...(await storage.getStat("sources/0198")), sizeBytes: 2 ** 60 };
    },
  };
  const created = createBackup({ db: app.db, storage: large, file: target, passphrase: null });
  await expect(created).rejects.toThrow(
    /large needs more than 1152921504\.6 GB, but only [\d.]+ GB is free\./,
  );
  expect((await readdir(folder)).filter((name) => name.startsWith("large"))).toEqual([]);
});

test("reports a manipulated file in one line and leaves an empty site", async () => {
  await using site = await createSite();
  const bytes = await readFile(file);
  const broken = join(folder, "manipulated");
  /** Replaces the first match with a text of equal length, so that the archive stays valid. */
  const replace = (from: string, to: string) => {
    const at = bytes.indexOf(from);
    expect([from, at]).not.toEqual([from, -1]);
    const changed = Buffer.from(bytes);
    changed.write(to, at);
    return changed;
  };
  const scattered = Array.from({ length: 8 }, (_, n) => {
    const changed = Buffer.from(bytes);
    for (let at = 700 + n * 37; at < changed.length; at += 900_001 + n * 13) {
      changed.writeUInt8(changed.readUInt8(at) ^ 0x15, at);
    }
    return changed;
  });
  const cases = [
    replace("line one", 'line "ne'),
    replace("media/sources/0198", "media/../../../198"),
    replace('"name": "videos"', '"name": "viceos"'),
    replace('"type": "timestamp', '"type": "tamestimp'),
    replace("20261129T0403_videos", "20261129T0404_labels"),
    replace('"kinoraBackup": 1', '"kinoraBackup": {'),
    ...scattered,
  ];
  for (const changed of cases) {
    await writeFile(broken, changed);
    const error: unknown = await restoreBackup({ ...site, file: broken, passphrase: null }).catch(
      (reason: unknown) => reason,
    );
    expect(error).toBeInstanceOf(OperatorError);
    expect(String(error)).not.toContain("\n");
    expect((await hashMedia(site.storage)).size).toBe(0);
  }
  expect(await restoreBackup({ ...site, file, passphrase: null })).toMatchObject({
    files: media.size,
  });
});

test("requires an encrypted backup's passphrase and detects every change", async () => {
  await using site = await createSite();
  const { storage } = app.context;
  const secret = join(folder, "secret.backup");
  const options = { db: app.db, storage, file: secret };
  await createBackup({ ...options, passphrase: "correct horse" });
  const bytes = await readFile(secret);
  expect(bytes.includes("kinoraBackup")).toBe(false);
  const restore = (passphrase: string | null) =>
    restoreBackup({ ...site, file: secret, passphrase });
  await expect(restore(null)).rejects.toThrow(/^The file is encrypted\. Set BACKUP_PASSPHRASE/);
  await expect(restore("wrong")).rejects.toThrow(/BACKUP_PASSPHRASE isn't the right passphrase\.$/);
  await writeFile(secret, bytes.subarray(0, bytes.length - 100_000));
  await expect(restore("correct horse")).rejects.toThrow(
    /decrypt the file: the file is damaged\.$/,
  );
  await writeFile(secret, bytes);
  expect(await restore("correct horse")).toMatchObject({ files: media.size });
});

test("never replaces a file, and writes only the database without media", async () => {
  const options = { db: app.db, storage: null, passphrase: null };
  await expect(createBackup({ ...options, file })).rejects.toThrow(`${file} already exists`);
  await expect(createBackup({ ...options, file: join(folder, "no/where") })).rejects.toThrow(
    /cannot be written \(ENOENT\)\.$/,
  );
  const rows = join(folder, "rows.backup");
  expect(await createBackup({ ...options, file: rows })).toMatchObject({ files: 0 });
  await using site = await createSite();
  // The previous run has already restored the storage.
  await site.storage.putBytes("sources/mine", "mine");
  await restoreBackup({ ...site, file: rows, passphrase: null });
  expect((await hashMedia(site.storage)).size).toBe(1);
});

test("waits for connections of a program that has just ended", async () => {
  await using site = await createSite();
  const ending = createPool(site.target, 1, createLogger("error"));
  const client = await ending.connect();
  const restored = restoreBackup({ ...site, file, passphrase: null });
  // The first check of the restore still sees the connection.
  await wait(300);
  client.release();
  await ending.end();
  expect(await restored).toMatchObject({ files: media.size });
});
