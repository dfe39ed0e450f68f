import type { FastifyInstance, FastifyRequest, RouteOptions } from "fastify";
import { AppError } from "../lib/app-error.ts";

/**
 * Who may call a route. `public`: anybody, the answer is the same for all. `visitor`: anybody, told
 * apart by the visitor cookie. `admin`: signed in with the role ADMIN.
 */
export type Policy = "public" | "visitor" | "admin";

declare module "fastify" {
  interface FastifyContextConfig {
    policy?: Policy;
    /** The answer is the same for every visitor and may be kept for `ttlMs`. */
    cache?: { ttlMs: number };
    /** Callable from other origins too (an ad server's beacon, an embed): reads nothing private. */
    allowsCrossOrigin?: boolean;
  }
}

export interface RegisteredRoute {
  method: string;
  url: string;
  policy: Policy;
}

/** Paths that only an administrator may call, whatever the route itself declares (contract 2). */
export function mustBeAdmin(method: string, url: string): boolean {
  if (url.startsWith("/api/admin")) return true;
  const isWrite = ["POST", "PUT", "PATCH", "DELETE"].includes(method);
  if (url === "/api/settings") return true;
  if (url.startsWith("/api/videos")) return isWrite && !/\/(like|watch|favorite)$/.test(url);
  if (/^\/api\/(ads|spots)/.test(url)) {
    return !/\/(public|impression|click|event|documents)$/.test(url);
  }
  if (/^\/api\/(categories|tags|actors)/.test(url)) return isWrite;
  return url.startsWith("/api/referrals") || url.startsWith("/api/uploads");
}

/** Refuses to register a route without a policy, and remembers all of them for the tests. */
export function registerPolicies(app: FastifyInstance): RegisteredRoute[] {
  const routes: RegisteredRoute[] = [];
  app.addHook("onRoute", (route: RouteOptions) => {
    const policy = route.config?.policy;
    if (policy === undefined) throw new Error(`Route ${route.url} declares no policy`);
    for (const method of [route.method].flat()) routes.push({ method, url: route.url, policy });
  });
  app.addHook("onRequest", async (request) => {
    // Not found has no route and therefore nothing to guard.
    if (request.is404) return;
    if (request.routeOptions.config.policy === "admin") requireAdmin(request);
  });
  return routes;
}

/** @throws AppError unauthenticated or forbidden. */
export function requireAdmin(request: FastifyRequest): void {
  if (request.user === null) {
    throw new AppError("unauthenticated", "Sign in to do this.");
  }
  if (request.user.role !== "ADMIN") {
    throw new AppError("forbidden", "You don't have permission to do this.");
  }
}
