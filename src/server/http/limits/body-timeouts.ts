import type { IncomingMessage, ServerResponse } from "node:http";
import { handleClientError } from "../client-errors.ts";

declare module "fastify" {
  interface FastifyContextConfig {
    /** The body is a file: it may take long as long as its bytes keep coming. */
    isUpload?: boolean;
  }
}

interface BodyTimes {
  /** In which the body of an ordinary call must have arrived. */
  totalMs: number;
  /** An upload must bring `minBytesPerWindow` in each window. */
  windowMs: number;
  minBytesPerWindow: number;
  /** In which the body of an upload must have arrived. */
  uploadTotalMs: number;
}

/** An upload needs at least 1 KB/s over a minute, and ends within a day. */
export const defaultBodyTimes: BodyTimes = {
  totalMs: 15_000,
  windowMs: 60_000,
  minBytesPerWindow: 60 * 1024,
  uploadTotalMs: 24 * 3600 * 1000,
};

/** Closes connections whose bodies do not arrive in time. */
interface BodyTimeouts {
  /** Starts the clock of a request. Call it for every request. */
  watch(request: IncomingMessage, response: ServerResponse): void;
  /** From now on the body needs the minimum rate and has the time of uploads. */
  expectUpload(request: IncomingMessage, response: ServerResponse): void;
}

class BodyTimeoutError extends Error {
  readonly code = "ERR_HTTP_REQUEST_TIMEOUT";
}

function hasBody({ headers }: IncomingMessage): boolean {
  return headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) > 0;
}

function refuse(request: IncomingMessage, response: ServerResponse): void {
  if (request.complete) return;
  // After an early response (401, 413) the rest of the body is of no use.
  if (response.headersSent) request.socket.destroy();
  else handleClientError(new BodyTimeoutError("The body took too long"), request.socket);
}

export function createBodyTimeouts(times: BodyTimes = defaultBodyTimes): BodyTimeouts {
  const timers = new WeakMap<IncomingMessage, NodeJS.Timeout>();

  return {
    watch(request, response) {
      if (!hasBody(request)) return;
      timers.set(request, setTimeout(refuse, times.totalMs, request, response).unref());
      // Comes after the last byte, also when no handler has read the body.
      request.once("close", () => clearTimeout(timers.get(request)));
    },

    expectUpload(request, response) {
      if (!timers.has(request)) return;
      clearTimeout(timers.get(request));
      const { socket } = request;
      let receivedBefore = socket.bytesRead;
      const endsAt = performance.now() + times.uploadTotalMs;
      const check = () => {
        if (performance.now() >= endsAt) return refuse(request, response);
        const received = socket.bytesRead - receivedBefore;
        receivedBefore = socket.bytesRead;
        // A full buffer means that the disk is slow, not the client.
        const isWaitingForClient = request.readableLength < request.readableHighWaterMark;
        if (isWaitingForClient && received < times.minBytesPerWindow) refuse(request, response);
      };
      timers.set(request, setInterval(check, times.windowMs).unref());
    },
  };
}
