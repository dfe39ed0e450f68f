import { once } from "node:events";
import { createServer } from "node:http";
import { explainListenError, type ListenAddress } from "./listen-address.ts";

interface Response {
  status: number;
  type: string;
  body: string;
}

const alive = async (): Promise<Response> => ({
  status: 200,
  type: "application/json",
  body: '{"status":"ok"}',
});

/** Serves operators' GET requests on a port that visitors can't reach. */
export async function startOperationsServer(
  address: ListenAddress,
  routes: Record<string, () => Promise<Response>>,
) {
  const all = new Map(Object.entries({ "/healthz": alive, ...routes }));
  const server = createServer((request, response) => {
    // oxlint-disable-next-line kinora/request-target -- A server for operators only.
    const [path = ""] = (request.url ?? "").split("?", 1);
    const route = request.method === "GET" || request.method === "HEAD" ? all.get(path) : undefined;
    const found =
      route?.() ?? Promise.resolve({ status: 404, type: "text/plain", body: "Not found.\n" });
    found
      .catch(() => ({
        status: 503,
        type: "text/plain",
        body: "Metrics aren't available right now.\n",
      }))
      .then(({ status, type, body }) => {
        response.writeHead(status, { "content-type": type, "cache-control": "no-store" });
        response.end(request.method === "HEAD" ? undefined : body);
      })
      .catch(() => response.destroy());
  });
  server.listen({ host: address.host, port: address.port });
  await once(server, "listening").catch((error: unknown) => {
    throw explainListenError(error, address);
  });
  const taken = server.address();
  return {
    /** Port in use. Differs from the requested port if that was 0. */
    port: typeof taken === "object" && taken !== null ? taken.port : address.port,
    close(): void {
      server.close();
      server.closeAllConnections();
    },
  };
}

export type OperationsServer = Awaited<ReturnType<typeof startOperationsServer>>;
