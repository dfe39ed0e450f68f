import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { FastifyReply, FastifyRequest } from "fastify";
import { AppError } from "#server/lib/app-error.ts";

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
