import type { FastifyInstance, FastifyReply } from "fastify";

const summaryEveryMs = 10_000;

const isRefusal = (reply: FastifyReply): boolean =>
  reply.statusCode === 429 || (reply.statusCode === 503 && reply.hasHeader("retry-after"));

/**
 * Logs writes, failures and slow responses. Refusals of a flood share one line, so that they fill no
 * disk.
 */
export function registerRequestLog(app: FastifyInstance): void {
  let refused = 0;
  let timer: NodeJS.Timeout | null = null;

  function countRefusal(): void {
    refused += 1;
    timer ??= setTimeout(() => {
      app.log.warn({ refused, seconds: summaryEveryMs / 1000 }, "refused too many requests");
      refused = 0;
      timer = null;
    }, summaryEveryMs).unref();
  }

  app.addHook("onResponse", async (request, reply) => {
    const summary = {
      method: request.method,
      url: request.url.split("?")[0],
      status: reply.statusCode,
      ms: Math.round(reply.elapsedTime),
    };
    if (isRefusal(reply)) countRefusal();
    const isNotable =
      !isRefusal(reply) &&
      (reply.statusCode >= 500 || reply.elapsedTime > 1000 || request.method !== "GET");
    if (isNotable) request.log.info(summary, "request");
    else request.log.debug(summary, "request");
  });
}
