import { AsyncLocalStorage } from "node:async_hooks";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { AppError } from "#server/lib/app-error.ts";

/** Country check of one request for the videos that it reads. */
interface VideoGate {
  /** Returns whether the requester's country may not see this video. */
  isBlocked(videoId: string): boolean;
  /** Videos that the response is about. Leaves out those in lists. */
  readonly about: Set<string>;
  /** True if one of these videos was refused. */
  hasRefused: boolean;
}

declare module "fastify" {
  interface FastifyRequest {
    videoGate: VideoGate | null;
  }
}

const gates = new AsyncLocalStorage<VideoGate>();

/**
 * Refuses a video that the requester's country may not see. This is the only such check. All code
 * that finds a video by an address calls it, whether by id, slug, former slug, the token of its
 * files or the secret of a private link. Does nothing outside a request.
 * @throws AppError blocked_country.
 */
export function requireVideo(videoId: string): void {
  const gate = gates.getStore();
  if (gate === undefined) return;
  gate.about.add(videoId);
  if (!gate.isBlocked(videoId)) return;
  gate.hasRefused = true;
  throw new AppError("blocked_country", "This video is not available in your country.");
}

/** Registers the gate for all routes. Call it after the guards, because they find the user. */
export function registerVideoGate(
  app: FastifyInstance,
  isBlocked: (request: FastifyRequest, videoId: string) => boolean,
): void {
  app.decorateRequest("videoGate", null);
  app.addHook("onRequest", (request, _reply, done) => {
    const gate: VideoGate = {
      isBlocked: (videoId) => isBlocked(request, videoId),
      about: new Set(),
      hasRefused: false,
    };
    request.videoGate = gate;
    gates.run(gate, done);
  });
  // Reading a body leaves the context of the hook above.
  app.addHook("preHandler", ({ videoGate }, _reply, done) => {
    if (videoGate === null) done();
    else gates.run(videoGate, done);
  });
}
