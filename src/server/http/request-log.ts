import type { FastifyInstance, FastifyReply } from "fastify";
import { loggedPath } from "./request-target.ts";

const summaryEveryMs = 10_000;
const slowMs = 1000;

/**
 * Returns whether the status results from overload or outages, whose cause is logged separately.
 */
const isRefusal = ({ statusCode }: FastifyReply): boolean =>
  statusCode === 429 || statusCode === 503;

/**
 * Logs failures, slow responses and changes by signed-in users. Visitors' calls are only counted in
 * metrics, and refusals share one log line, so that neither can fill a disk.
 */
export function registerRequestLog(app: FastifyInstance): void {
  const refused = { tooMany: 0, unavailable: 0 };
  let timer: NodeJS.Timeout | null = null;

  function countRefusal(kind: keyof typeof refused): void {
    refused[kind] += 1;
    timer ??= setTimeout(() => {
      app.log.warn({ ...refused, seconds: summaryEveryMs / 1000 }, "refused requests");
      Object.assign(refused, { tooMany: 0, unavailable: 0 });
      timer = null;
    }, summaryEveryMs).unref();
  }

  app.decorateReply("beganAfterMs", undefined);
  app.addHook("onSend", (_request, reply, _payload, done) => {
    reply.beganAfterMs = reply.elapsedTime;
    done();
  });

  app.addHook("onResponse", (request, reply, done) => {
    const { statusCode: status, beganAfterMs = reply.elapsedTime } = reply;
    const summary = {
      method: request.method,
      url: loggedPath(request.raw),
      status,
      ms: Math.round(beganAfterMs),
    };
    if (isRefusal(reply)) countRefusal(status === 429 ? "tooMany" : "unavailable");
    const isChange = request.method !== "GET" && request.method !== "HEAD";
    const isNotable =
      !isRefusal(reply) &&
      (status >= 500 || beganAfterMs > slowMs || (isChange && request.user != null));
    if (isNotable) request.log.info(summary, "request");
    else request.log.debug(summary, "request");
    done();
  });
}

declare module "fastify" {
  interface FastifyReply {
    /** Time until the response's headers were sent. */
    beganAfterMs: number | undefined;
  }
}
