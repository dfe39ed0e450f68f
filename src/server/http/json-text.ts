import type { FastifyReply } from "fastify";

/**
 * Sends JSON text. The route's schema describes it but isn't applied again, which for a list of
 * videos would take longer than all other work of the request.
 */
export function sendJsonText<R extends FastifyReply>(reply: R, text: string): R {
  void reply.type("application/json; charset=utf-8").send(text);
  return reply;
}
