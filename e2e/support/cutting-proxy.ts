import { createServer, connect, type Socket } from "node:net";
import type { AddressInfo } from "node:net";

export interface CuttingProxy {
  url: string;
  /** Bytes that browsers have sent to the server so far. */
  sentBytes(): number;
  /** Returns the number of cut connections. */
  cuts(): number;
  stop(): Promise<void>;
}

/** Starts a proxy that cuts all connections each time this number of bytes has been uploaded. */
export function startCuttingProxy(
  targetUrl: string,
  cutAfterBytes: readonly number[],
): Promise<CuttingProxy> {
  const port = Number(new URL(targetUrl).port);
  const sockets = new Set<Socket>();
  let sent = 0;
  let cuts = 0;

  const server = createServer((client) => {
    const upstream = connect(port, "127.0.0.1");
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
      sent += chunk.length;
      if (!upstream.write(chunk)) {
        client.pause();
        upstream.once("drain", () => client.resume());
      }
      const next = cutAfterBytes[cuts];
      if (next === undefined || sent < next) return;
      cuts += 1;
      for (const socket of [...sockets]) socket.destroy();
    });
    upstream.pipe(client);
  });

  return new Promise((resolve) => {
    server.listen(0, "127.0.0.1", () => {
      const { port: own } = server.address() as AddressInfo;
      resolve({
        url: `http://127.0.0.1:${own}`,
        sentBytes: () => sent,
        cuts: () => cuts,
        stop: () =>
          new Promise((done) => {
            for (const socket of [...sockets]) socket.destroy();
            server.close(() => done());
          }),
      });
    });
  });
}
