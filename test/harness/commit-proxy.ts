import { connect, createServer, type Socket } from "node:net";
import { join } from "node:path";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import type { SocketTarget } from "#server/db/connection.ts";

/**
 * Proxy for PostgreSQL that can drop the response to a COMMIT: the server commits, but the client
 * never learns of it.
 */
export interface CommitProxy {
  /** URL of the database through the proxy. */
  target: SocketTarget;
  /**
   * Loses the response to the next COMMIT of a transaction that has sent a statement with this text, and
   * cuts that connection.
   */
  loseResponse(statementText: string): void;
  /** Returns the number of lost responses. */
  lost(): number;
  stop(): Promise<void>;
}

const socketName = ".s.PGSQL.5432";
/** The completion of a COMMIT in the protocol of PostgreSQL: a message of the type C. */
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
