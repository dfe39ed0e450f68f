import { z } from "zod";
import type { App } from "./app.ts";

/** What must answer before traffic is sent here; each rejects or answers false when it does not. */
export type ReadinessChecks = Record<string, () => Promise<unknown>>;

const answer = z.object({
  status: z.string(),
  checks: z.record(z.string(), z.string()).optional(),
});
const timeoutMs = 3000;

export function registerHealth(app: App, checks: ReadinessChecks): void {
  app.get(
    "/healthz",
    {
      config: { policy: "public" },
      schema: { tags: ["operation"], summary: "The process is alive", response: { 200: answer } },
    },
    async (_request, reply) => {
      void reply.header("cache-control", "no-store");
      return { status: "ok" };
    },
  );

  app.get(
    "/readyz",
    {
      config: { policy: "public" },
      schema: {
        tags: ["operation"],
        summary: "Database, storage and queue answer",
        response: { 200: answer, 503: answer },
      },
    },
    async (request, reply) => {
      void reply.header("cache-control", "no-store");
      const results = await Promise.all(
        Object.entries(checks).map(async ([name, check]) => {
          const late = new Promise<never>((_resolve, reject) => {
            setTimeout(() => reject(new Error("no answer in time")), timeoutMs).unref();
          });
          try {
            const isWell = (await Promise.race([check(), late])) !== false;
            return [name, isWell ? "ok" : "failing"] as const;
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
