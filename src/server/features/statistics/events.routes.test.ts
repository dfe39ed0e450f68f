import Fastify from "fastify";
import { connect } from "node:net";
import { expect, it, vi } from "vitest";
import type { AdminEvent } from "#contract/site/admin-events.ts";
import type { SignedInUser } from "#server/http/access/policy.ts";
import { createLogger } from "#server/lib/logger.ts";
import { registerEventRoutes } from "./events.routes.ts";

it("closes the stream of an ended session whose client doesn't read", async () => {
  const app = Fastify();
  app.decorateRequest("sessionToken", "token");
  const admin: SignedInUser = {
    id: "1",
    email: "admin@site.example",
    name: "Admin",
    role: "ADMIN",
    isOwner: false,
    sessionId: "1",
    isConfirmed: false,
    mustAddFactor: false,
    scopes: null,
  };
  let user: SignedInUser | null = admin;
  let sendEvent: (event: AdminEvent) => void = () => undefined;
  let endSessions = (): void => undefined;
  const unsubscribe = vi.fn();
  registerEventRoutes(app, {
    hub: {
      subscribe(listener) {
        sendEvent = listener;
        return unsubscribe;
      },
      stop: () => undefined,
    },
    auth: { findUser: async () => user },
    changeEvents: {
      onSessionsEnded(listener) {
        endSessions = listener;
      },
    },
    logger: createLogger("silent"),
  });
  const url = new URL(await app.listen({ host: "127.0.0.1", port: 0 }));
  const client = connect(Number(url.port), url.hostname);
  client.on("error", () => undefined).pause();
  client.write("GET /api/admin/events HTTP/1.1\r\nhost: site\r\n\r\n");
  await vi.waitFor(() => expect(sendEvent.length).toBe(1), { timeout: 10_000 });
  // More than the operating system buffers for a connection.
  for (let i = 0; i < 40; i++) {
    sendEvent({ type: "bulk", id: "x".repeat(900_000) });
    await new Promise((resolve) => setImmediate(resolve));
  }
  user = null;
  endSessions();
  await vi.waitFor(() => expect(unsubscribe).toHaveBeenCalledOnce(), { timeout: 10_000 });
  client.destroy();
  await app.close();
});
