import type { ServerResponse } from "node:http";
import { baseHeaders } from "../../http/security-headers.ts";
import type { App } from "../../http/app.ts";
import type { EventHub } from "./event-hub.ts";

/** A stream ends after this long. The browser opens another one, whose session is checked again. */
const maxStreamMs = 5 * 60 * 1000;
/** Keeps proxies from closing a silent connection. */
const heartbeatEveryMs = 20_000;

/** Server-sent events for the back office: changes of videos and bulk actions. */
export function registerEventRoutes(app: App, deps: { hub: EventHub }): void {
  const open = new Set<ServerResponse>();

  app.addHook("preClose", async () => {
    deps.hub.stop();
    for (const response of open) response.end();
  });

  app.get(
    "/api/admin/events",
    {
      config: { policy: "admin" },
      schema: {
        tags: ["admin"],
        summary: "Changes of videos and bulk actions as server-sent events",
      },
    },
    (request, reply) => {
      reply.hijack();
      const response = reply.raw;
      response.writeHead(200, {
        ...baseHeaders,
        "content-type": "text/event-stream; charset=utf-8",
        "cache-control": "no-store",
        "x-accel-buffering": "no",
        "x-request-id": request.id,
      });
      response.write("retry: 2000\n\n");
      open.add(response);
      const unsubscribe = deps.hub.subscribe((event) => {
        // A client that reads too slowly misses events instead of filling the memory.
        if (response.writableLength < 1_000_000)
          response.write(`data: ${JSON.stringify(event)}\n\n`);
      });
      const heartbeat = setInterval(() => response.write(": alive\n\n"), heartbeatEveryMs);
      const end = setTimeout(() => response.end(), maxStreamMs);
      response.on("close", () => {
        clearInterval(heartbeat);
        clearTimeout(end);
        unsubscribe();
        open.delete(response);
      });
    },
  );
}
