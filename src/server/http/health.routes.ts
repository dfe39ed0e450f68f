import { z } from "zod";
import { warnLimited } from "../lib/limited-log.ts";
import type { App } from "./app.ts";

/** Checks that must pass before this process gets traffic. Each rejects or resolves to false. */
export type ReadinessChecks = Record<string, () => Promise<unknown>>;

const health = z.object({
  status: z.string(),
  checks: z.record(z.string(), z.string()).optional(),
});
const timeoutMs = 3000;
/** Everyone may call it, so calls within this time share one check. */
const freshMs = 1000;

type Results = (readonly [name: string, state: "ok" | "failing"])[];

/** @param isDraining whether this process is about to stop; then it wants no more traffic. */
export function registerHealth(
  app: App,
  checks: ReadinessChecks,
  isDraining: () => boolean = () => false,
): void {
  let latest: { staleAt: number; results: Promise<Results> } | null = null;

  function runChecks(): Promise<Results> {
    return Promise.all(
      Object.entries(checks).map(async ([name, check]) => {
        const timeout = new Promise<never>((_resolve, reject) => {
          setTimeout(() => reject(new Error("no response in time")), timeoutMs).unref();
        });
        try {
          const isPassing = (await Promise.race([check(), timeout])) !== false;
          return [name, isPassing ? "ok" : "failing"] as const;
        } catch (error) {
          warnLimited(app.log, `check of ${name}`, { err: error, check: name }, "not ready");
          return [name, "failing"] as const;
        }
      }),
    );
  }

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
    async (_request, reply) => {
      void reply.header("cache-control", "no-store");
      if (isDraining()) return reply.status(503).send({ status: "stopping" });
      const now = performance.now();
      if (latest === null || now >= latest.staleAt) {
        latest = { staleAt: now + freshMs, results: runChecks() };
      }
      const results = await latest.results;
      const isReady = results.every(([, state]) => state === "ok");
      return reply
        .status(isReady ? 200 : 503)
        .send({ status: isReady ? "ok" : "failing", checks: Object.fromEntries(results) });
    },
  );
}
