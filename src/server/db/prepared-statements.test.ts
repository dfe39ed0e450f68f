import { sql } from "kysely";
import { expect, it } from "vitest";
import { useTestDatabase } from "#test/database.ts";
import { createDb } from "./connection.ts";
import { prepared } from "./prepared-statements.ts";

const database = useTestDatabase();

const listPrepared = sql<{ statement: string }>`select statement from pg_prepared_statements`;

it("prepares only marked statements and only once per connection", async () => {
  await database.db.connection().execute(async (db) => {
    for (const n of [1, 2, 3]) {
      const marked = await sql<{ n: number }>`${prepared}select ${n}::int as n`.execute(db);
      expect(marked.rows).toEqual([{ n }]);
      await sql`select ${n}::int as other`.execute(db);
    }
    const { rows } = await listPrepared.execute(db);
    expect(rows).toEqual([{ statement: "/* prepared */ select $1::int as n" }]);
  });
});

it("prepares nothing when turned off", async () => {
  const db = createDb(database.pool, false);
  await db.connection().execute(async (connection) => {
    await sql`deallocate all`.execute(connection);
    await sql`${prepared}select ${1}::int as n`.execute(connection);
    expect((await listPrepared.execute(connection)).rows).toEqual([]);
  });
});
