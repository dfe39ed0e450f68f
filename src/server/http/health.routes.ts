import { z } from "zod";
import type { App } from "./app.ts";
import type { Readiness } from "./readiness.ts";

const health = z.object({
  status: z.string(),
  checks: z.record(z.string(), z.string()).optional(),
});

export function registerHealth(app: App, findReadiness: () => Promise<Readiness>): void {
  app.get(
    "/healthz",
    {
      config: { policy: "public", skipsReadLimit: true, skipsSession: true },
      schema: {
        tags: ["operation"],
        summary: "Check that the process is alive",
        response: { 200: health },
      },
    },
    async (_request, reply) => {
      void reply.header("cache-control", "no-store");
      return { status: "ok" };
    },
  );

  app.get(
    "/readyz",
    {
      config: { policy: "public", skipsReadLimit: true, skipsSession: true },
      schema: {
        tags: ["operation"],
        summary: "Check that database, storage and queue respond",
        response: { 200: health, 503: health },
      },
    },
    async (_request, reply) => {
      void reply.header("cache-control", "no-store");
      const readiness = await findReadiness();
      return reply.status(readiness.status === "ok" ? 200 : 503).send(readiness);
    },
  );
}
