import type { FastifyReply } from "fastify";

/**
 * Sends JSON text. The route's schema describes the text but isn't applied again, because for a
 * list of videos that would take longer than everything else in the request.
 */
export function sendJsonText<R extends FastifyReply>(reply: R, text: string): R {
  void reply.type("application/json; charset=utf-8").send(text);
  return reply;
}
