import { availableParallelism } from "node:os";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { AppError } from "../../lib/app-error.ts";
import { createFairQueue, type FairQueue } from "../../lib/fair-queue.ts";
import { networkOf } from "./network-address.ts";

declare module "fastify" {
  interface FastifyContextConfig {
    /** Costs next to nothing or sends a file, so it never waits for a turn. */
    needsNoTurn?: boolean;
  }
  interface FastifyRequest {
    endTurn: (() => void) | null;
  }
}

/** More at once finish no earlier; of the database's 16 connections some stay free for media. */
const readsAtOnce = Math.min(12, Math.max(4, 2 * availableParallelism()));

export const createReadQueue = (): FairQueue =>
  createFairQueue({
    maxRunning: readsAtOnce,
    maxWaitingPerKey: 512,
    maxWaiting: 4096,
    message: "The site is busy. Try again in a moment.",
    retryAfterS: 2,
  });

/**
 * Pages and reads that no cache holds take turns by address, so that whoever asks for a thousand of
 * them waits for their own. Register it after the guards.
 */
export function registerTurns(app: FastifyInstance, queue: FairQueue = createReadQueue()): void {
  app.decorateRequest("endTurn", null);
  app.addHook("preHandler", async (request) => {
    const isRead = request.method === "GET" || request.method === "HEAD";
    const needsTurn = request.routeOptions.config?.needsNoTurn !== true;
    if (!isRead || !needsTurn || request.user !== null) return;
    request.endTurn = await queue.enter({ key: networkOf(request.ip), isFirst: false });
    if (request.raw.socket.destroyed) {
      throw new AppError("invalid", "The request was broken off before its end.");
    }
  });
  // The turn ends with the work, not when the client has read the response.
  const end = (request: FastifyRequest) => {
    request.endTurn?.();
    request.endTurn = null;
  };
  app.addHook("onSend", async (request, _reply, payload) => {
    end(request);
    return payload;
  });
  app.addHook("onResponse", async (request) => end(request));
}
