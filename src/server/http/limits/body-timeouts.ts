import type { IncomingMessage, ServerResponse, Server } from "node:http";
import type { FastifyReply, FastifyRequest } from "fastify";
import { AppError } from "#server/lib/app-error.ts";
import { handleClientError } from "../client-errors.ts";

declare module "fastify" {
  interface FastifyContextConfig {
    /** Message if the announced body exceeds the limit of its route. */
    tooLargeMessage?: string;
  }
}

/**
 * Refuses a body because of its announced length, before reading it. Parsers that leave the body as
 * a stream don't check the length.
 * @throws AppError too_large.
 */
export function refuseAnnouncedBody({ headers, routeOptions }: FastifyRequest): void {
  if (Number(headers["content-length"] ?? 0) <= routeOptions.bodyLimit) return;
  const message = routeOptions.config?.tooLargeMessage ?? "The request is too large.";
  throw new AppError("too_large", message);
}

/** Lets `sendContinue` decide when a client that waits for "100 Continue" may send its body. */
export function delayContinue(server: Server): void {
  server.on("checkContinue", (request: IncomingMessage, response: ServerResponse) => {
    server.emit("request", request, response);
  });
}

/**
 * Sends "100 Continue". Call it after all checks that may refuse a request because of its headers.
 */
export function sendContinue({ raw }: FastifyRequest, reply: FastifyReply): void {
  const isWaiting = raw.httpVersion === "1.1" && /^100-continue$/i.test(raw.headers.expect ?? "");
  if (isWaiting) reply.raw.writeContinue();
}

declare module "fastify" {
  interface FastifyContextConfig {
    /** True if the body is a file, which may take long as long as bytes keep arriving. */
    isUpload?: boolean;
  }
}

interface BodyTimes {
  /** Time limit for the body of an ordinary call. */
  totalMs: number;
  /** Length of the window in which an upload must send `minBytesPerWindow`. */
  windowMs: number;
  minBytesPerWindow: number;
  /** Time limit for the body of an upload. */
  uploadTotalMs: number;
}

/** An upload needs at least 1 KB/s over a minute, and ends within a day. */
export const defaultBodyTimes: BodyTimes = {
  totalMs: 15_000,
  windowMs: 60_000,
  minBytesPerWindow: 60 * 1024,
  uploadTotalMs: 24 * 3600 * 1000,
};

class BodyTimeoutError extends Error {
  readonly code = "ERR_HTTP_REQUEST_TIMEOUT";
}

function hasBody({ headers }: IncomingMessage): boolean {
  return headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) > 0;
}

function refuse(request: IncomingMessage, response: ServerResponse): void {
  if (request.complete) return;
  // After an early response (401, 413), the rest of the body isn't needed.
  if (response.headersSent) request.socket.destroy();
  else handleClientError(new BodyTimeoutError("The body took too long"), request.socket);
}

export function createBodyTimeouts(times: BodyTimes = defaultBodyTimes) {
  const timers = new WeakMap<IncomingMessage, NodeJS.Timeout>();

  return {
    /** Starts a request's timer. Call it for every request. */
    watch(request: IncomingMessage, response: ServerResponse): void {
      if (!hasBody(request)) return;
      timers.set(request, setTimeout(refuse, times.totalMs, request, response).unref());
      // Emitted after the last byte, even if no handler has read the body.
      request.once("close", () => clearTimeout(timers.get(request)));
    },

    /** Switches to the timeouts of uploads and their minimum rate. */
    expectUpload(request: IncomingMessage, response: ServerResponse): void {
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
