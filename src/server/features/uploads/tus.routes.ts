import type { Server } from "@tus/server";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { ChangeEvents } from "#server/db/change-events.ts";
import { requireStillAllowed } from "#server/http/access/policy.ts";
import { baseHeaders } from "#server/http/access/security-headers.ts";
import type { App } from "#server/http/app.ts";
import { noBody } from "#server/http/openapi.ts";
import { AppError } from "#server/lib/app-error.ts";
import { tusCall } from "./tus-server.ts";

/**
 * Resumable uploads. The parts of a file arrive by the tus protocol. The form that follows sends
 * the upload's id to `POST /api/videos` as `uploadId`. A part that is still arriving ends with the
 * session that sends it.
 */
export function registerTusRoutes(
  app: App,
  deps: { path: string; tus: Server; changeEvents: ChangeEvents },
): void {
  const { path, tus, changeEvents } = deps;
  const open = new Set<FastifyRequest>();

  changeEvents.onSessionsEnded(() => {
    for (const request of open) {
      requireStillAllowed(request).catch((error: unknown) => {
        if (error instanceof AppError) request.raw.destroy();
        else request.log.debug({ err: error }, "couldn't check the session of an upload");
      });
    }
  });

  void app.register(async (scope) => {
    // Parts stay streams of any content type, because the tus server reads them.
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser("*", (_request, payload, done) => done(null, payload));

    async function handle(request: FastifyRequest, reply: FastifyReply): Promise<void> {
      // The tus server writes the response itself.
      reply.hijack();
      for (const [name, value] of Object.entries(baseHeaders)) reply.raw.setHeader(name, value);
      reply.raw.setHeader("x-request-id", request.id);
      reply.raw.setHeader("cache-control", "private, no-store");
      const call = {
        requestId: request.id,
        account: request.user?.id ?? null,
        requireStillAllowed: () => requireStillAllowed(request),
      };
      open.add(request);
      try {
        await tusCall.run(call, () => tus.handle(request.raw, reply.raw));
      } finally {
        open.delete(request);
      }
    }

    for (const [method, url, status, summary] of [
      ["POST", path, 201, "Start a resumable upload (tus 1.0.0)"],
      ["OPTIONS", path, 204, "Get the supported extensions of tus 1.0.0"],
      ["HEAD", `${path}/:id`, 200, "Get the offset of an upload (tus 1.0.0)"],
      ["PATCH", `${path}/:id`, 204, "Send the next part of an upload (tus 1.0.0)"],
      ["DELETE", `${path}/:id`, 204, "Cancel an upload (tus 1.0.0)"],
    ] as const) {
      const consumes = method === "PATCH" ? ["application/offset+octet-stream"] : undefined;
      scope.route({
        method,
        url,
        // The tus server limits the size of parts itself.
        bodyLimit: Number.MAX_SAFE_INTEGER,
        config: { policy: "content.edit", isUpload: true },
        schema: { tags: ["uploads"], summary, consumes, response: { [status]: noBody } },
        handler: handle,
      });
    }
  });
}
