import type { FastifyInstance } from "fastify";
import type { OpenSpan, Tracing } from "#server/lib/tracing/tracing.ts";
import { loggedPath } from "./request-target.ts";

const unnamed = new Set(["/healthz", "/readyz"]);

/** Creates a span for each request not served by the response cache. Call it before other hooks. */
export function registerRequestTracing(app: FastifyInstance, tracing: Tracing): void {
  const spans = new WeakMap<object, OpenSpan>();
  app.addHook("onRequest", (request, _reply, done) => {
    // Addresses without a route are pages.
    const route = request.is404 ? "pages" : (request.routeOptions.url ?? "none");
    if (unnamed.has(route)) return done();
    const { method, headers, ips } = request;
    // A trusted proxy may provide its span, as it may provide the client's address.
    const isProxied = (ips?.length ?? 0) > 1;
    const traceparent = isProxied ? headers["traceparent"]?.toString() : undefined;
    const span = tracing.begin(
      {
        name: `${method} ${route}`,
        kind: "server",
        attributes: {
          "http.request.method": method,
          "http.route": route,
          "url.path": loggedPath(request.raw),
          "kinora.request_id": request.id,
        },
      },
      traceparent,
    );
    spans.set(request, span);
    span.within(done);
  });
  app.addHook("onResponse", (request, { statusCode }, done) => {
    spans.get(request)?.end({
      attributes: { "http.response.status_code": statusCode },
      ...(statusCode >= 500 ? { error: true } : {}),
    });
    done();
  });
}
