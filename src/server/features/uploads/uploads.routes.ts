import type { Server } from "@tus/server";
import type { FastifyReply, FastifyRequest } from "fastify";
import { baseHeaders } from "../../http/security-headers.ts";
import type { App } from "../../http/app.ts";

/**
 * Resumable uploads: parts of a file arrive by the tus protocol; the form that follows names the
 * upload to `POST /api/videos` (`uploadId`).
 */
export function registerUploadPartRoutes(app: App, deps: { path: string; tus: Server }): void {
  const { path, tus } = deps;

  void app.register(async (scope) => {
    // Parts stay streams, whatever they are called; the protocol's server reads them.
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser("*", (_request, payload, done) => done(null, payload));

    async function handle(request: FastifyRequest, reply: FastifyReply): Promise<void> {
      // From here on the answer is written past the framework.
      reply.hijack();
      for (const [name, value] of Object.entries(baseHeaders)) reply.raw.setHeader(name, value);
      reply.raw.setHeader("x-request-id", request.id);
      reply.raw.setHeader("cache-control", "no-store");
      await tus.handle(request.raw, reply.raw);
    }

    scope.route({
      method: ["POST", "OPTIONS"],
      url: path,
      // The protocol's server counts the bytes of every part itself.
      bodyLimit: Number.MAX_SAFE_INTEGER,
      config: { policy: "admin" },
      schema: { tags: ["uploads"], summary: "Start a resumable upload (tus 1.0.0)" },
      handler: handle,
    });
    scope.route({
      method: ["HEAD", "PATCH", "DELETE"],
      url: `${path}/:id`,
      bodyLimit: Number.MAX_SAFE_INTEGER,
      config: { policy: "admin" },
      schema: {
        tags: ["uploads"],
        summary: "How far it is, the next part, or give it up (tus 1.0.0)",
      },
      handler: handle,
    });
  });
}
