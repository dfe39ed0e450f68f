import Fastify from "fastify";
import { once } from "node:events";
import { connect } from "node:net";
import { expect, it, vi } from "vitest";
import type { AdminEvent } from "#contract/site/admin-events.ts";
import type { SignedInUser } from "#server/http/access/policy.ts";
import { createLogger } from "#server/lib/logger.ts";
import { registerEventRoutes } from "./statistics.feature.ts";

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
  isOutsideBackOffice: false,
};
const streamRequest = "GET /api/admin/events HTTP/1.1\r\nhost: site\r\n\r\n";

it("closes the stream of an ended session whose client doesn't read", async () => {
  const app = Fastify();
  app.decorateRequest("sessionToken", "token");
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
  client.write(streamRequest);
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

it("opens no stream for a client that disconnected while its session was checked", async () => {
  const app = Fastify();
  app.decorateRequest("sessionToken", "token");
  const subscribe = vi.fn(() => () => undefined);
  const findUser = vi.fn(async () => admin);
  const { promise: handled, resolve: noteHandled } = Promise.withResolvers<void>();
  app.addHook("onRequest", async (_request, reply) => {
    client.destroy();
    await once(reply.raw, "close");
  });
  app.addHook("preHandler", (_request, _reply, done) => {
    setImmediate(noteHandled);
    done();
  });
  registerEventRoutes(app, {
    hub: { subscribe, stop: () => undefined },
    auth: { findUser },
    changeEvents: { onSessionsEnded: () => undefined },
    logger: createLogger("silent"),
  });
  const url = new URL(await app.listen({ host: "127.0.0.1", port: 0 }));
  const client = connect(Number(url.port), url.hostname);
  client.on("error", () => undefined);
  client.write(streamRequest);
  await handled;
  expect(subscribe).not.toHaveBeenCalled();
  expect(findUser).not.toHaveBeenCalled();
  await app.close();
});
