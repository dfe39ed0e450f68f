import { once } from "node:events";
import { createServer, request, type IncomingMessage, type ServerResponse } from "node:http";
import { keepVideo, reportViolations } from "./in-page.ts";

const scriptPath = "/engine-probe.js";
const reportPath = "/engine-problems";

/** Sends a page's errors to the proxy, because WebDriver gives no access to the console. */
function reportErrors(path: string): void {
  const report = (text: string) => {
    // Leaving a page aborts its requests.
    if ("isLeft" in window) return;
    void fetch(path, { method: "POST", keepalive: true, body: `${text} (${location.href})` });
  };
  const log = console.error.bind(console);
  console.error = (...parts: unknown[]) => {
    log(...parts);
    report(parts.map(String).join(" "));
  };
  addEventListener("error", ({ message }) => {
    if (message) report(message);
  });
  addEventListener("unhandledrejection", ({ reason }) => report(String(reason)));
}

/** Returns code that calls a function of this module in a page. */
const callOf = (run: (path: string) => void) => `(${String(run)})(${JSON.stringify(reportPath)});`;
const script = [reportErrors, reportViolations, keepVideo].map(callOf).join("");

export interface ReportingProxy {
  url: string;
  /** Errors since the last call of `clear`. */
  problems: readonly string[];
  clear(): void;
  stop(): Promise<void>;
}

/** Proxy that inserts a script at the start of each page. */
export async function startReportingProxy(target: string): Promise<ReportingProxy> {
  const { hostname, port } = new URL(target);
  const problems: string[] = [];

  async function respond(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    if (incoming.url === scriptPath) {
      response.writeHead(200, { "content-type": "text/javascript" });
      response.end(script);
      return;
    }
    if (incoming.url === reportPath) {
      problems.push(await readText(incoming));
      response.writeHead(204).end();
      return;
    }
    const outgoing = request({
      hostname,
      port,
      method: incoming.method,
      path: incoming.url,
      headers: { ...incoming.headers, "accept-encoding": "identity" },
    });
    incoming.pipe(outgoing);
    outgoing.on("error", () => response.destroy());
    const [upstream] = (await once(outgoing, "response")) as [IncomingMessage];
    const isPage =
      upstream.headers["content-type"]?.startsWith("text/html") === true &&
      incoming.headers["sec-fetch-dest"] !== "iframe";
    const { "content-length": length, ...headers } = upstream.headers;
    response.writeHead(upstream.statusCode ?? 502, isPage ? headers : upstream.headers);
    if (!isPage || length === "0") {
      upstream.pipe(response);
      upstream.on("error", () => response.destroy());
      return;
    }
    const html = await readText(upstream);
    response.end(html.replace("<head>", `<head><script src="${scriptPath}"></script>`));
  }

  const server = createServer((incoming, response) => {
    respond(incoming, response).catch(() => response.destroy());
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  return {
    url: `http://127.0.0.1:${typeof address === "object" && address !== null ? address.port : 0}`,
    problems,
    clear() {
      problems.length = 0;
    },
    async stop() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

async function readText(stream: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of stream) parts.push(part as Buffer);
  return Buffer.concat(parts).toString("utf8");
}
