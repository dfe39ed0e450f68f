import { availableParallelism } from "node:os";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { databasePoolSize } from "#server/db/pool-size.ts";
import { AppError } from "#server/lib/app-error.ts";
import { createSemaphore, type Semaphore } from "#server/lib/semaphore.ts";
import { networkOf } from "./network-address.ts";

declare module "fastify" {
  interface FastifyContextConfig {
    /**
     * True for a route that costs almost nothing or sends a file. Such a route never waits for
     * other reads.
     */
    skipsReadLimit?: boolean;
  }
  interface FastifyRequest {
    endRead: (() => void) | null;
  }
}

/** Database connections that reads leave free for media files and writes. */
const spareConnections = 4;

/** Returns the number of concurrent reads. More would not finish earlier. */
function readsAtOnce(webProcesses: number): number {
  const wanted = Math.max(4, Math.ceil((2 * availableParallelism()) / webProcesses));
  return Math.min(databasePoolSize(webProcesses) - spareConnections, wanted);
}

export const createReadSemaphore = (webProcesses: number): Semaphore =>
  createSemaphore({
    maxRunning: readsAtOnce(webProcesses),
    maxWaitingPerKey: 128,
    maxWaiting: 4096,
    message: "The site is busy. Try again in a moment.",
    retryAfterS: 2,
  });

/**
 * Limits concurrent uncached pages and reads by visitors. During a flood, the event loop still has
 * time for files and health checks, and writes still get connections. Each address gets a share of
 * the waiting places. Beyond its share, requests get 503 with Retry-After.
 */
export function registerReadLimit(app: FastifyInstance, reads: Semaphore): void {
  app.decorateRequest("endRead", null);

  app.addHook("preHandler", async (request) => {
    const isRead = request.method === "GET" || request.method === "HEAD";
    const isLimited = request.routeOptions.config?.skipsReadLimit !== true;
    if (!isRead || !isLimited || request.user !== null) return;
    request.endRead = await reads.enter({ key: networkOf(request.ip), isFirst: false });
    if (request.raw.socket.destroyed) {
      throw new AppError("invalid", "The request was interrupted before it was complete.");
    }
  });

  // The place is freed when the work ends, even if the client is still reading the response.
  const end = (request: FastifyRequest) => {
    request.endRead?.();
    request.endRead = null;
  };
  app.addHook("onSend", (request, _reply, payload, done) => {
    end(request);
    done(null, payload);
  });
  app.addHook("onResponse", (request, _reply, done) => {
    end(request);
    done();
  });
}
