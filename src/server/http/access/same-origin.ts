import type { FastifyInstance, FastifyRequest } from "fastify";
import { AppError } from "#server/lib/app-error.ts";

const safeMethods = new Set(["GET", "HEAD", "OPTIONS"]);

/** Returns the origin at which the browser opened this site. Null if its `Host` header is invalid. */
export const ownOrigin = ({ protocol, host }: FastifyRequest): string | null =>
  // Without the scheme's default port, which the header may contain.
  URL.parse(`${protocol}://${host}`)?.origin ?? null;

/**
 * Returns whether another site made a browser send this request. Browsers send the origin with
 * every state-changing call. A client that sends none isn't a browser and has no ambient cookie.
 */
function isCrossOrigin(request: FastifyRequest): boolean {
  const site = request.headers["sec-fetch-site"];
  if (site === "same-origin") return false;
  if (site !== undefined && site !== "none") return true;
  const origin = request.headers.origin;
  if (origin === undefined) return false;
  return URL.parse(origin)?.origin !== ownOrigin(request);
}

/** Refuses state-changing calls that another origin makes with a visitor's cookies. */
export function registerSameOrigin(app: FastifyInstance): void {
  app.addHook("onRequest", (request, _reply, done) => {
    if (safeMethods.has(request.method) || request.is404) return done();
    if (request.routeOptions.config.allowsCrossOrigin === true) return done();
    if (isCrossOrigin(request)) {
      throw new AppError("cross_origin", "This request must come from the site itself.");
    }
    done();
  });
}
