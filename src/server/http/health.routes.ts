import { z } from "zod";
import type { App } from "./app.ts";

/** Checks that must pass before this process gets traffic. Each rejects or resolves to false. */
export type ReadinessChecks = Record<string, () => Promise<unknown>>;

const health = z.object({
  status: z.string(),
  checks: z.record(z.string(), z.string()).optional(),
});
const timeoutMs = 3000;

export function registerHealth(app: App, checks: ReadinessChecks): void {
  app.get(
    "/healthz",
    {
      config: { policy: "public", needsNoTurn: true },
      schema: { tags: ["operation"], summary: "The process is alive", response: { 200: health } },
    },
    async (_request, reply) => {
      void reply.header("cache-control", "no-store");
      return { status: "ok" };
    },
  );

  app.get(
    "/readyz",
    {
      config: { policy: "public", needsNoTurn: true },
      schema: {
        tags: ["operation"],
        summary: "Database, storage and queue respond",
        response: { 200: health, 503: health },
      },
    },
    async (request, reply) => {
      void reply.header("cache-control", "no-store");
      const results = await Promise.all(
        Object.entries(checks).map(async ([name, check]) => {
          const timeout = new Promise<never>((_resolve, reject) => {
            setTimeout(() => reject(new Error("no response in time")), timeoutMs).unref();
          });
          try {
            const isPassing = (await Promise.race([check(), timeout])) !== false;
            return [name, isPassing ? "ok" : "failing"] as const;
          } catch (error) {
            request.log.warn({ err: error, check: name }, "not ready");
            return [name, "failing"] as const;
          }
        }),
      );
      const isReady = results.every(([, state]) => state === "ok");
      return reply
        .status(isReady ? 200 : 503)
        .send({ status: isReady ? "ok" : "failing", checks: Object.fromEntries(results) });
    },
  );
}
