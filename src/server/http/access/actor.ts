import type { FastifyRequest } from "fastify";
import type { Actor } from "#server/lib/actor.ts";
import { AppError } from "#server/lib/app-error.ts";

/** Returns the user of an admin call. Its policy has already refused everyone else. */
export function actorOf(request: FastifyRequest): Actor {
  if (request.user === null) throw new AppError("unauthenticated", "Sign in to do this.");
  return { user: request.user, requestId: request.id };
}
