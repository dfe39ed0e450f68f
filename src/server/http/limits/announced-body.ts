import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { FastifyReply, FastifyRequest } from "fastify";
import { AppError } from "#server/lib/app-error.ts";

declare module "fastify" {
  interface FastifyContextConfig {
    /** Message for a body that announces more than its route's limit. */
    tooLargeMessage?: string;
  }
}

/**
 * Refuses a body by its announced length, before it is read, because parsers that leave it a stream
 * don't compare the two.
 * @throws AppError too_large.
 */
export function refuseAnnouncedBody({ headers, routeOptions }: FastifyRequest): void {
  if (Number(headers["content-length"] ?? 0) <= routeOptions.bodyLimit) return;
  const message = routeOptions.config?.tooLargeMessage ?? "The request is too large.";
  throw new AppError("too_large", message);
}

/** Leaves it to `sendContinue` when a client that waits for "100 Continue" may send its body. */
export function delayContinue(server: Server): void {
  server.on("checkContinue", (request: IncomingMessage, response: ServerResponse) => {
    server.emit("request", request, response);
  });
}

/** Sends "100 Continue". Call it after everything that may refuse a request by its headers. */
export function sendContinue({ raw }: FastifyRequest, reply: FastifyReply): void {
  const isWaiting = raw.httpVersion === "1.1" && /^100-continue$/i.test(raw.headers.expect ?? "");
  if (isWaiting) reply.raw.writeContinue();
}
