import type { PostgresCursor, PostgresPool, PostgresPoolClient, PostgresQueryResult } from "kysely";
import { hasCode } from "#server/lib/app-error.ts";
import { isDatabaseUnreachable } from "../connection.ts";

/** Chooses between replica and primary for reads. */
export interface ReadSource {
  /** Returns whether a read that starts now may use the replica. */
  isUsable(): boolean;
  /** Records that the replica failed to read. */
  noteFailure(error: unknown): void;
}

/**
 * Returns whether the replica caused an error. It aborts long reads if it has to replay the removal
 * of rows that they read.
 */
const isReplicaError = (error: unknown): boolean =>
  isDatabaseUnreachable(error) || hasCode(error, "40001");

/**
 * Creates connections for reads. They lead to the replica while it is usable, otherwise to the
 * primary. Statements that the replica can't run go to the primary. Only for single statements and
 * not for transactions.
 */
export function createReadPool(
  primary: PostgresPool,
  replica: PostgresPool,
  source: ReadSource,
): PostgresPool {
  // Kysely identifies a connection by its object.
  const clients = new WeakMap<PostgresPoolClient, ReadingClient>();
  return {
    options: replica.options,
    async connect() {
      if (!source.isUsable()) return primary.connect();
      let client: PostgresPoolClient;
      try {
        client = await replica.connect();
      } catch (error) {
        source.noteFailure(error);
        return primary.connect();
      }
      const known = clients.get(client) ?? new ReadingClient(client, primary, source);
      clients.set(client, known);
      return known;
    },
    end: () => replica.end(),
  };
}

class ReadingClient implements PostgresPoolClient {
  readonly #replica: PostgresPoolClient;
  readonly #primary: PostgresPool;
  readonly #source: ReadSource;
  /** Set once the replica has failed. */
  #instead: PostgresPoolClient | null = null;

  constructor(replica: PostgresPoolClient, primary: PostgresPool, source: ReadSource) {
    this.#replica = replica;
    this.#primary = primary;
    this.#source = source;
  }

  query<R>(text: string, parameters: readonly unknown[]): Promise<PostgresQueryResult<R>>;
  query<R>(cursor: PostgresCursor<R>): PostgresCursor<R>;
  query(text: string | PostgresCursor<unknown>, parameters: readonly unknown[] = []): unknown {
    if (typeof text !== "string") throw new Error("streaming queries isn't supported");
    return this.#run(text, parameters);
  }

  async #run(text: string, parameters: readonly unknown[]): Promise<PostgresQueryResult<unknown>> {
    if (this.#instead === null) {
      try {
        return await this.#replica.query(text, parameters);
      } catch (error) {
        if (!isReplicaError(error)) throw error;
        this.#source.noteFailure(error);
        this.#instead = await this.#primary.connect();
      }
    }
    return this.#instead.query(text, parameters);
  }

  release(isBroken?: boolean): void {
    this.#instead?.release(isBroken);
    this.#replica.release(this.#instead !== null || isBroken);
    this.#instead = null;
  }
}
