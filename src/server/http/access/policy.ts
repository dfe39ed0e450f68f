import type { FastifyInstance, FastifyRequest, RouteOptions } from "fastify";
import { AppError } from "../../lib/app-error.ts";

/**
 * Who may call a route. `public`: everyone, with the same response for all. `visitor`: everyone, with
 * a response that depends on the visitor cookie. `user`: every user who is signed in. `admin`: users
 * with the role ADMIN.
 */
type Policy = "public" | "visitor" | "user" | "admin";

declare module "fastify" {
  interface FastifyContextConfig {
    policy?: Policy;
    /** The response is the same for every visitor and may be cached for `ttlMs`. */
    cache?: { ttlMs: number };
    /** Other origins may call it too (an ad server's beacon, an embed). It reads nothing private. */
    allowsCrossOrigin?: boolean;
  }
}

/** Bytes of a JSON body. Calls of visitors send a few fields, the back office whole texts. */
export const maxPublicBodyBytes = 16 * 1024;
const maxAdminBodyBytes = 1024 * 1024;

export interface RegisteredRoute {
  method: string;
  url: string;
  policy: Policy;
  isCached: boolean;
}

/**
 * Enforces policies, bounds bodies by them, and refuses to register a route without one.
 * @returns all routes.
 */
export function registerPolicies(app: FastifyInstance): RegisteredRoute[] {
  const routes: RegisteredRoute[] = [];
  app.addHook("onRoute", (route: RouteOptions) => {
    const policy = route.config?.policy;
    if (policy === undefined) throw new Error(`Route ${route.url} declares no policy`);
    if (policy === "admin") route.bodyLimit ??= maxAdminBodyBytes;
    const isCached = route.config?.cache !== undefined;
    for (const method of [route.method].flat()) {
      routes.push({ method, url: route.url, policy, isCached });
    }
  });
  app.addHook("onRequest", (request, _reply, done) => {
    // An unknown address has no route and no policy.
    if (request.is404) return done();
    const { policy } = request.routeOptions.config;
    if (policy === "user" && request.user === null) throw notSignedIn();
    if (policy === "admin") requireAdmin(request);
    done();
  });
  // What an administrator sees, drafts among it, stays out of every cache on the way.
  app.addHook("onSend", (request, reply, payload, done) => {
    if (request.user?.role === "ADMIN" && request.url.startsWith("/api/")) {
      void reply.header("cache-control", "private, no-store");
    }
    done(null, payload);
  });
  return routes;
}

export const notSignedIn = () => new AppError("unauthenticated", "Sign in to do this.");

/** @throws AppError unauthenticated or forbidden. */
function requireAdmin(request: FastifyRequest): void {
  if (request.user === null) throw notSignedIn();
  if (request.user.role !== "ADMIN") {
    throw new AppError("forbidden", "You don't have permission to do this.");
  }
}
