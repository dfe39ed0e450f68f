import { sql, type PostgresCursor, type PostgresPool, type PostgresQueryResult } from "kysely";
import type pg from "pg";

/**
 * Prefix of a statement that PostgreSQL parses once per connection, and plans once if one plan
 * suits all parameters. For hot statements with few variants. Don't use it for statements whose
 * best plan depends on the label, or for `select *`, which breaks when a migration adds a column.
 */
export const prepared = sql.raw("/* prepared */ ");
const marker = "/* prepared */";

/**
 * Maximum number of names, because every server connection stores all plans. Further statements get
 * no name.
 */
const maxNames = 150;

/** Adapts the pool for Kysely, with names for statements marked as `prepared`. */
export function preparingPool(pool: pg.Pool): PostgresPool {
  const names = new Map<string, string>();
  // Kysely identifies a connection by its object.
  const clients = new WeakMap<pg.PoolClient, PreparingClient>();

  function nameOf(text: string): string | undefined {
    if (!text.startsWith(marker)) return undefined;
    const known = names.get(text);
    if (known !== undefined || names.size >= maxNames) return known;
    const name = `kinora_${names.size}`;
    names.set(text, name);
    return name;
  }

  return {
    options: pool.options,
    async connect() {
      const client = await pool.connect();
      const known = clients.get(client) ?? new PreparingClient(client, nameOf);
      clients.set(client, known);
      return known;
    },
    end: () => pool.end(),
  };
}

class PreparingClient {
  readonly #client: pg.PoolClient;
  readonly #nameOf: (text: string) => string | undefined;

  constructor(client: pg.PoolClient, nameOf: (text: string) => string | undefined) {
    this.#client = client;
    this.#nameOf = nameOf;
  }

  query<R>(text: string, parameters: readonly unknown[]): Promise<PostgresQueryResult<R>>;
  query<R>(cursor: PostgresCursor<R>): PostgresCursor<R>;
  query(text: string | PostgresCursor<unknown>, parameters: readonly unknown[] = []): unknown {
    if (typeof text !== "string") throw new Error("streaming queries isn't supported");
    const values = [...parameters];
    const name = this.#nameOf(text);
    return this.#client.query(name === undefined ? { text, values } : { name, text, values });
  }

  release(isBroken?: boolean): void {
    this.#client.release(isBroken);
  }
}
