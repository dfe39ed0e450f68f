import { availableParallelism } from "node:os";
import { setTimeout as wait } from "node:timers/promises";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { poolSizeOf } from "#server/db/pool-size.ts";
import { AppError } from "#server/lib/app-error.ts";
import { createFairQueue, type FairQueue } from "#server/lib/fair-queue.ts";
import type { SessionCookies } from "../access/session-cookie.ts";
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

/** Connections to the database that reads leave to media files and writes. */
const keptConnections = 4;

/** More at once finish no earlier. */
function readsAtOnce(webProcesses: number): number {
  const wanted = Math.max(4, Math.ceil((2 * availableParallelism()) / webProcesses));
  return Math.min(poolSizeOf(webProcesses) - keptConnections, wanted);
}

/** A file or a health check needs this long to its first byte. */
const urgentMs = 3;
const maxCalmMs = 12;
/** For so long requests begin in one turn of the event loop: several cheap ones, or one. */
const maxTurnMs = 0.3;

/** Reports of visitors, which then wait for their batch. No read waits behind them. */
const reportsPerTurn = 4;

const isRead = ({ method }: FastifyRequest) => method === "GET" || method === "HEAD";
const isReport = (request: FastifyRequest) =>
  !isRead(request) && request.routeOptions.config?.policy === "visitor";

const places = {
  maxWaitingPerKey: 512,
  maxWaiting: 4096,
  message: "The site is busy. Try again in a moment.",
  retryAfterS: 2,
};

export const createReadQueue = (webProcesses: number): FairQueue =>
  createFairQueue({ maxRunning: readsAtOnce(webProcesses), ...places });

const turnOf = (request: FastifyRequest, isFirst: boolean) => ({
  key: networkOf(request.ip),
  isFirst,
});

/**
 * Lets addresses take turns, so that a client with a thousand requests waits for its own. Register
 * it before all other hooks.
 *
 * 1. Each turn of the event loop starts reads for a moment, a few reports of visitors, which are short,
 *    and one other write. A file needs several turns to its first byte, and each would take as long as
 *    all requests that had arrived.
 * 2. Pages and reads that no cache holds run a few at a time. While more of them wait, none begins in
 *    the moment in which a file is asked for.
 */
export function registerTurns(
  app: FastifyInstance,
  sessionCookies: Pick<SessionCookies, "stateOf">,
  reads: FairQueue,
): void {
  const beginnings = createFairQueue({ maxRunning: 1, ...places });
  const beginningReports = createFairQueue({ maxRunning: reportsPerTurn, ...places });
  let urgentAt = Number.NEGATIVE_INFINITY;
  let turnEndsAt = Number.NEGATIVE_INFINITY;

  /** The next read begins after what this one does at once, now or in the next turn of the loop. */
  function endBeginning(request: FastifyRequest, end: () => void): void {
    // What a write does begins when its body has arrived.
    if (!isRead(request)) return void setImmediate(end);
    process.nextTick(() => {
      if (performance.now() < turnEndsAt) return end();
      setImmediate(() => {
        turnEndsAt = performance.now() + maxTurnMs;
        end();
      });
    });
  }

  async function waitForCalm(): Promise<void> {
    const until = performance.now() + maxCalmMs;
    for (let now = performance.now(); now < until && now - urgentAt < urgentMs;) {
      await wait(urgentMs);
      now = performance.now();
    }
  }

  app.decorateRequest("endTurn", null);
  // These hooks wait for a promise only where there is no free turn: each one costs a microsecond.
  app.addHook("onRequest", (request, _reply, done) => {
    if (request.routeOptions.config?.needsNoTurn === true) {
      urgentAt = performance.now();
      return done();
    }
    const queue = isReport(request) ? beginningReports : beginnings;
    const end = queue.tryEnter();
    if (end === null) {
      const isFirst = sessionCookies.stateOf(request.headers) === "signed";
      return queue.enter(turnOf(request, isFirst)).then((ends) => endBeginning(request, ends));
    }
    endBeginning(request, end);
    done();
  });

  function refuseGone({ raw }: FastifyRequest): void {
    if (raw.socket.destroyed) {
      throw new AppError("invalid", "The request was broken off before its end.");
    }
  }
  async function waitToRead(request: FastifyRequest): Promise<void> {
    request.endTurn = await reads.enter(turnOf(request, false));
    if (reads.countWaiting() > 0) await waitForCalm();
    refuseGone(request);
  }
  app.addHook("preHandler", (request, _reply, done) => {
    const needsTurn = request.routeOptions.config?.needsNoTurn !== true;
    if (!isRead(request) || !needsTurn || request.user !== null) return done();
    request.endTurn = reads.tryEnter();
    if (request.endTurn === null) return waitToRead(request);
    refuseGone(request);
    done();
  });

  // The turn ends with the work, not when the client has read the response.
  const end = (request: FastifyRequest) => {
    request.endTurn?.();
    request.endTurn = null;
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
