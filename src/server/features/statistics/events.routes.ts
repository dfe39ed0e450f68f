import type { ServerResponse } from "node:http";
import type { ChangeEvents } from "#server/db/change-events.ts";
import type { App } from "#server/http/app.ts";
import { addTickets } from "#server/http/access/page-token.ts";
import { hasPermission, notSignedInError } from "#server/http/access/policy.ts";
import { baseHeaders } from "#server/http/access/security-headers.ts";
import type { Logger } from "#server/lib/logger.ts";
import type { AuthService } from "#server/features/auth/auth.service.ts";
import type { EventHub } from "./event-hub.ts";

/** Maximum duration of a stream. The browser then opens a new one. */
const maxStreamMs = 5 * 60 * 1000;
/**
 * Interval of heartbeats. They keep proxies from closing a silent connection and end streams of
 * expired sessions.
 */
const heartbeatEveryMs = 20_000;

/**
 * Ends a stream. A client that doesn't read loses what it hasn't received. Otherwise its connection
 * would stay open, and a later write would be an error.
 */
function endStream(response: ServerResponse): void {
  if (response.writableLength > 0) response.destroy();
  else response.end();
}

/**
 * Server-sent events for the back office: changes to videos and bulk actions. A stream ends with
 * the session that opened it, even if another process ends the session.
 */
export function registerEventRoutes(
  app: App,
  deps: {
    hub: EventHub;
    auth: Pick<AuthService, "findUser">;
    changeEvents: Pick<ChangeEvents, "onSessionsEnded">;
    logger: Logger;
  },
): void {
  const { hub, auth, changeEvents, logger } = deps;
  /** Open streams with their session tokens. */
  const open = new Map<ServerResponse, string>();

  async function endWithoutSession(response: ServerResponse, token: string): Promise<void> {
    try {
      if (!hasPermission(await auth.findUser(token), "content.read")) endStream(response);
    } catch (error) {
      logger.debug({ err: error }, "couldn't check the session of an event stream");
    }
  }

  changeEvents.onSessionsEnded(() => {
    for (const [response, token] of open) void endWithoutSession(response, token);
  });

  app.addHook("preClose", async () => {
    hub.stop();
    for (const response of open.keys()) endStream(response);
  });

  app.get(
    "/api/admin/events",
    {
      config: { policy: "content.read" },
      schema: {
        tags: ["admin"],
        summary: "Stream changes of videos and bulk actions as server-sent events",
      },
    },
    (request, reply) => {
      const { sessionToken: token, mediaTicket } = request;
      if (token === null) throw notSignedInError();
      const present = (event: unknown) =>
        mediaTicket === null ? event : addTickets(event, mediaTicket);
      reply.hijack();
      const response = reply.raw;
      response.writeHead(200, {
        ...baseHeaders,
        "content-type": "text/event-stream; charset=utf-8",
        "cache-control": "private, no-store",
        "x-accel-buffering": "no",
        "x-request-id": request.id,
      });
      // Otherwise a HEAD request would wait until the stream ends.
      if (request.method === "HEAD") return void response.end();
      // The client disconnected during the policy check, so "close" won't be emitted again.
      if (response.destroyed) return;
      response.write("retry: 2000\n\n");
      open.set(response, token);
      // The session may have ended between the policy check and this line.
      void endWithoutSession(response, token);
      const unsubscribe = hub.subscribe((event) => {
        // A client that reads too slowly misses events instead of filling memory.
        if (response.writableLength < 1_000_000)
          response.write(`data: ${JSON.stringify(present(event))}\n\n`);
      });
      const heartbeat = setInterval(() => {
        response.write(": alive\n\n");
        void endWithoutSession(response, token);
      }, heartbeatEveryMs);
      const end = setTimeout(() => endStream(response), maxStreamMs);
      response.on("close", () => {
        clearInterval(heartbeat);
        clearTimeout(end);
        unsubscribe();
        open.delete(response);
      });
    },
  );
}
