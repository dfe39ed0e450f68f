import type { PostgresPool, PostgresPoolClient } from "kysely";
import { beforeEach, expect, test, vi } from "vitest";
import { createReadPool } from "./read-pool.ts";

/** Creates a pool whose statements return its name, or fail. */
function fakePool(name: string) {
  const state = { connectError: null as Error | null, queryError: null as Error | null, open: 0 };
  const client = {
    async query() {
      if (state.queryError !== null) throw state.queryError;
      return { rows: [name] };
    },
    release() {
      state.open -= 1;
    },
  } as unknown as PostgresPoolClient;
  const pool: PostgresPool = {
    options: {},
    async connect() {
      if (state.connectError !== null) throw state.connectError;
      state.open += 1;
      return client;
    },
    end: async () => undefined,
  };
  return { pool, state };
}

const refused = new Error("timeout exceeded when trying to connect");
const conflict = Object.assign(new Error("conflict with recovery"), { code: "40001" });

let primary: ReturnType<typeof fakePool>;
let replica: ReturnType<typeof fakePool>;
const source = { isUsable: vi.fn(() => true), noteFailure: vi.fn() };
beforeEach(() => {
  primary = fakePool("primary");
  replica = fakePool("replica");
  source.isUsable.mockReset().mockReturnValue(true);
  source.noteFailure.mockReset();
});

/** Returns which pools ran two statements of one connection. */
async function read(): Promise<unknown[]> {
  const client = await createReadPool(primary.pool, replica.pool, source).connect();
  try {
    const results = [await client.query("select 1", []), await client.query("select 2", [])];
    return results.map(({ rows }) => rows[0]);
  } finally {
    client.release();
  }
}

test("reads from the replica while it is usable", async () => {
  expect(await read()).toEqual(["replica", "replica"]);
  source.isUsable.mockReturnValue(false);
  expect(await read()).toEqual(["primary", "primary"]);
  expect([primary.state.open, replica.state.open]).toEqual([0, 0]);
});

test("falls back to the primary if the replica can't run a query", async () => {
  replica.state.connectError = refused;
  expect(await read()).toEqual(["primary", "primary"]);
  replica.state.connectError = null;
  replica.state.queryError = conflict;
  expect(await read()).toEqual(["primary", "primary"]);
  expect(source.noteFailure.mock.calls).toEqual([[refused], [conflict]]);
  expect([primary.state.open, replica.state.open]).toEqual([0, 0]);
});

test("doesn't repeat a wrong statement on the primary", async () => {
  replica.state.queryError = Object.assign(new Error("syntax error"), { code: "42601" });
  await expect(read()).rejects.toThrow("syntax error");
  expect(source.noteFailure).not.toHaveBeenCalled();
});
