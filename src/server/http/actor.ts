import type { FastifyRequest } from "fastify";
import type { Actor } from "../features/audit/audit.service.ts";
import { AppError } from "../lib/app-error.ts";

/** Who acts in an admin call; the policy has already turned everybody else away. */
export function actorOf(request: FastifyRequest): Actor {
  if (request.user === null) throw new AppError("unauthenticated", "Sign in to do this.");
  return { user: request.user, requestId: request.id };
}
