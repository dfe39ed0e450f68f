import { mkdir, mkdtemp, readdir, rm, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sql } from "kysely";
import { afterAll, beforeAll, expect, it } from "vitest";
import { createEmptyDatabase, type TestDatabase } from "#test/database.ts";
import { migrateToLatest, readFormerMigrations } from "#server/db/migrate.ts";
import { createLogger } from "#server/lib/logger.ts";
import { createLocalStorage } from "#server/storage/local.storage.ts";
import { backupBeforeUpgrade } from "./backup-before-upgrade.ts";
import { restoreBackup } from "./restore-backup.ts";

let database: TestDatabase;
let other: TestDatabase;
let dataDir: string;

beforeAll(async () => {
  [database, other] = await Promise.all([createEmptyDatabase(), createEmptyDatabase()]);
  dataDir = await mkdtemp(join(tmpdir(), "kinora-upgrade-"));
});
afterAll(async () => {
  await Promise.all([database.drop(), other.drop()]);
  await rm(dataDir, { recursive: true });
});

it("saves the rows before waiting migrations run, and deletes old and abandoned files", async () => {
  const { db } = database;
  const options = { dataDir, logger: createLogger("silent") };
  // A new database needs no backup.
  expect(await backupBeforeUpgrade(db, options)).toBeNull();
  const former = Object.entries(await readFormerMigrations());
  const first = former.filter(([name]) => name < "20261122T1300");
  await migrateToLatest(db, Object.fromEntries(first));
  await sql`
    insert into tags (id, name, slug)
    values ('00000000-0000-7000-8000-000000000010', 'Sea', 'sea')`.execute(db);

  const folder = join(dataDir, "backups");
  const [abandoned, young] = [1, 2].map((n) => join(folder, `before-upgrade-${n}.tar.partial`));
  await mkdir(folder);
  for (const partial of [abandoned, young]) await writeFile(partial ?? "", "");
  await utimes(abandoned ?? "", 0, 0);

  const files = [];
  for (let n = 0; n < 4; n += 1) files.push(await backupBeforeUpgrade(db, options));
  const kept = (await readdir(folder)).map((name) => join(folder, name));
  expect(kept.toSorted()).toEqual([young, ...files.slice(1)]);

  const storage = createLocalStorage({ root: join(dataDir, "storage") });
  await restoreBackup({ db: other.db, storage, file: files[3] ?? "", passphrase: null });
  const { rows } = await sql`select name from tags`.execute(other.db);
  expect(rows).toEqual([{ name: "Sea" }]);

  await migrateToLatest(db);
  expect(await backupBeforeUpgrade(db, options)).toBeNull();
});
