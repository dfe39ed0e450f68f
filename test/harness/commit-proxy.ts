import { connect, createServer, type Socket } from "node:net";
import { join } from "node:path";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import type { SocketTarget } from "#server/db/connection.ts";

/**
 * Proxy for PostgreSQL that can drop the response to a COMMIT. The server commits, but the client
 * never finds out.
 */
export interface CommitProxy {
  /** URL of the database through the proxy. */
  target: SocketTarget;
  /**
   * Drops the response to the next COMMIT of a transaction that contained a statement with this
   * text, and cuts the connection.
   */
  loseResponse(statementText: string): void;
  /** Returns the number of lost responses. */
  lost(): number;
  stop(): Promise<void>;
}

const socketName = ".s.PGSQL.5432";
/** Completion of a COMMIT in the PostgreSQL protocol, a message of type C. */
const committed = Buffer.from("COMMIT\0");

export async function startCommitProxy(target: SocketTarget): Promise<CommitProxy> {
  const folder = await mkdtemp(join(tmpdir(), "kinora-commit-proxy-"));
  const sockets = new Set<Socket>();
  let wanted: string | null = null;
  let lost = 0;

  const server = createServer((client) => {
    const upstream = connect(join(target.socketDir, socketName));
    let isMarked = false;
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.on("error", () => undefined);
      socket.on("close", () => {
        sockets.delete(socket);
        client.destroy();
        upstream.destroy();
      });
    }
    client.on("data", (chunk) => {
      if (wanted !== null && chunk.includes(wanted)) isMarked = true;
      upstream.write(chunk);
    });
    upstream.on("data", (chunk) => {
      if (isMarked && wanted !== null && chunk.includes(committed)) {
        wanted = null;
        lost += 1;
        client.destroy();
        return;
      }
      client.write(chunk);
    });
  });
  await new Promise<void>((resolve) => {
    server.listen(join(folder, socketName), resolve);
  });
  return {
    target: { ...target, socketDir: folder },
    loseResponse(statementText) {
      wanted = statementText;
    },
    lost: () => lost,
    async stop() {
      for (const socket of sockets) socket.destroy();
      await new Promise<void>((resolve) => {
        server.close(() => resolve());
      });
      await rm(folder, { recursive: true, force: true });
    },
  };
}
