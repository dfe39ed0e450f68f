import type { ServerResponse } from "node:http";
import { baseHeaders } from "../../http/security-headers.ts";
import type { App } from "../../http/app.ts";
import type { EventHub } from "./event-hub.ts";

/** A stream ends after this long; the browser opens the next one, and the session is asked anew. */
const longestMs = 5 * 60 * 1000;
/** A sign of life for proxies that close silent connections. */
const beatEveryMs = 20_000;

/** Server-sent events for the back office: what happens to videos and bulk actions. */
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
        summary: "What happens to videos and bulk actions, as it happens",
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
      const unfollow = deps.hub.follow((event) => {
        // Somebody whose connection takes nothing any more is not waited for.
        if (response.writableLength < 1_000_000)
          response.write(`data: ${JSON.stringify(event)}\n\n`);
      });
      const beat = setInterval(() => response.write(": alive\n\n"), beatEveryMs);
      const end = setTimeout(() => response.end(), longestMs);
      response.on("close", () => {
        clearInterval(beat);
        clearTimeout(end);
        unfollow();
        open.delete(response);
      });
    },
  );
}
