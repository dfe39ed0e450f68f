import type { IncomingHttpHeaders } from "node:http";
import { Agent, request } from "node:https";
import type { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";

interface ProxyResponse {
  status: number;
  headers: IncomingHttpHeaders;
  body: Buffer;
}

export interface ProxyClient {
  /** Calls the site by its name, like a browser. Only rejects if there is no response. */
  call(
    method: string,
    path: string,
    headers?: Record<string, string>,
    body?: Uint8Array | Readable,
  ): Promise<ProxyResponse>;
  close(): void;
}

/** Creates an HTTPS client for a local port that accepts any host name and any certificate. */
export function createProxyClient(port: number, serverName: string): ProxyClient {
  const agent = new Agent({ keepAlive: true, maxSockets: 64 });
  return {
    async call(method, path, headers = {}, body) {
      const { promise, resolve, reject } = Promise.withResolvers<ProxyResponse>();
      const call = request(
        {
          host: "127.0.0.1",
          port,
          path,
          method,
          agent,
          servername: serverName,
          rejectUnauthorized: false,
          headers: { host: serverName, ...headers },
        },
        (response) => {
          buffer(response).then(
            (bytes) =>
              resolve({ status: response.statusCode ?? 0, headers: response.headers, body: bytes }),
            reject,
          );
        },
      );
      call.on("error", reject);
      if (body === undefined || body instanceof Uint8Array) call.end(body);
      else body.pipe(call);
      return promise;
    },
    close: () => agent.destroy(),
  };
}
