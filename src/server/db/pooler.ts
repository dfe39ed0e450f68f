import pg from "pg";
import { newToken } from "#server/lib/ids.ts";
import { connectionOptions, type DatabaseTarget } from "./connection.ts";

/** Properties of the pooler between this program and PostgreSQL's sessions, if any. */
export interface Pooler {
  /** True if each transaction may get another session, so that no notifications arrive. */
  isPooled: boolean;
  /**
   * True if a prepared statement may run in a different session than the one it was prepared in.
   */
  keepsStatements: boolean;
}

const direct: Pooler = { isPooled: false, keepsStatements: true };

/** Timeout, because a pooler with a single session never serves both connections at once. */
const responseTimeoutMs = 2000;
/** Several, because other clients may hold the session. */
const attempts = 5;

const readPid = "select pg_backend_pid() as pid";

/** Detects whether connections lead to a pooler that assigns sessions per transaction. */
export async function findPooler(target: DatabaseTarget): Promise<Pooler> {
  const [first, second] = [connectTo(target), connectTo(target)];
  try {
    await first.connect();
    const pid = await pidOf(first, { text: readPid });
    // PostgreSQL announces its process id to each connection. Poolers announce an invented one.
    if (announcedPid(first) === pid) return direct;
    await second.connect();
    const sessions = new Set([pid]);
    for (let attempt = 0; attempt < attempts; attempt += 1) {
      const statement = { name: `kinora_${newToken(9)}`, text: readPid };
      const prepared = await pidOf(first, statement);
      sessions.add(prepared);
      await second.query("begin");
      // The session with the statement is busy, so that it has to run in another one.
      const isTaken = (await pidOf(second, { text: readPid })) === prepared;
      const keepsStatements = isTaken && (await canRun(first, statement));
      await second.query("rollback");
      if (isTaken) return { isPooled: true, keepsStatements };
    }
    // A connection that keeps its session is as good as a direct one.
    return sessions.size === 1 ? direct : { isPooled: true, keepsStatements: false };
  } finally {
    for (const client of [first, second]) void client.end().catch(() => undefined);
  }
}

function connectTo(target: DatabaseTarget): pg.Client {
  const client = new pg.Client({
    ...connectionOptions(target),
    application_name: "kinora",
    connectionTimeoutMillis: 10_000,
    query_timeout: responseTimeoutMs,
  });
  client.on("error", () => undefined);
  return client;
}

const announcedPid = (client: pg.Client): unknown =>
  "processID" in client ? client.processID : undefined;

async function pidOf(client: pg.Client, query: pg.QueryConfig): Promise<number> {
  const { rows } = await client.query<{ pid: number }>(query);
  return rows[0]?.pid ?? 0;
}

const canRun = (client: pg.Client, query: pg.QueryConfig): Promise<boolean> =>
  pidOf(client, query).then(
    () => true,
    () => false,
  );
