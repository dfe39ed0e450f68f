import { expect, test } from "vitest";
import { findBrokenSqlRules } from "./sql-rules.ts";

const service = "src/server/features/x/x.service.ts";

test.each([
  "await sql<{ id: string }>`select 1`.execute(db);",
  "const part = sql`true`;",
  'await db.selectFrom("videos").execute();',
  'await trx.updateTable("videos").execute();',
  'await pool.query("select 1");',
])("reports a service that contains %s", (text) => {
  expect(findBrokenSqlRules(service, text)).toEqual([`${service}: SQL belongs in a repository`]);
});

test.each([
  "src/server/features/x/x.repository.ts",
  "src/server/db/migrate.ts",
  "src/server/features/x/x.sql.ts",
  "demo/rows.ts",
])("allows %s to contain SQL", (file) => {
  expect(findBrokenSqlRules(file, "sql`select 1`")).toEqual([]);
});

test.each([
  "where v.is_published and v.status = 'ready'",
  "where is_published = true AND status = 'ready'",
  'row.is_published && row.status === "ready"',
  '.where("is_published", "=", true)\n    .where("status", "=", "ready")',
  "status = 'ready' and is_published",
])("reports that %s defines listed a second time", (text) => {
  const file = "demo/seed.ts";
  expect(findBrokenSqlRules(file, text)).toEqual([
    `${file}: "listed" is defined in one module: use is_listed`,
  ]);
});

test("allows the module that defines listed", () => {
  const text = "is_published and status = 'ready'";
  expect(findBrokenSqlRules("src/server/db/migrations/1_videos.ts", text)).toEqual([]);
});
