import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, expect, it } from "vitest";
import { startTracing } from "./start-tracing.ts";

const name = "OTEL_EXPORTER_OTLP_ENDPOINT";
const servers: Server[] = [];
afterEach(() => {
  delete process.env[name];
  for (const server of servers.splice(0)) server.close().closeAllConnections();
});

/** Starts tracing with a collector that handles requests with `onRequest`, and records a span. */
async function trace(onRequest: Parameters<typeof createServer>[1]) {
  const server = createServer(onRequest).listen(0, "127.0.0.1");
  servers.push(server);
  await once(server, "listening");
  // The exporter reads its own variables.
  process.env[name] = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const lines: string[] = [];
  const logger = { warn: (_fields: object, message: string) => lines.push(message) };
  const tracing = startTracing({ sampler: "always_on", ratio: 1 }, logger as never);
  tracing.record({ name: "x", kind: "internal", attributes: {}, durationMs: 1 });
  return { tracing, lines };
}

it("logs that the collector refuses traces", async () => {
  const { tracing, lines } = await trace((_request, response) => {
    response.writeHead(400).end();
  });
  await tracing.stop();
  expect(lines).toEqual(["couldn't send traces"]);
});

it("stops even if the collector never responds", async () => {
  let hasAsked = false;
  const { tracing } = await trace(() => {
    hasAsked = true;
  });
  await tracing.stop();
  expect(hasAsked).toBe(true);
}, 8000);
