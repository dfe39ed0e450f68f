import { AsyncLocalStorage } from "node:async_hooks";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { AppError } from "#server/lib/app-error.ts";

/** A request as far as it is about videos that some may not see. */
interface VideoGate {
  /** Whether the one who asks may not see this video. */
  isBlocked(videoId: string): boolean;
  /** The videos that the response is about. Those of a list are not among them. */
  readonly about: Set<string>;
  /** Whether one of them was refused. */
  hasRefused: boolean;
}

declare module "fastify" {
  interface FastifyRequest {
    videoGate: VideoGate | null;
  }
}

const gates = new AsyncLocalStorage<VideoGate>();

/**
 * The one place where a country is kept from a video. Everything that finds a video by its address
 * calls it: by id, slug or former slug, by the token of its files, and by the secret of a private link.
 * It does nothing outside of a request.
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

/** Puts a gate in front of the routes. Call it after the guards, which find the user. */
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
