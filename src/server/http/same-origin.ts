import type { FastifyInstance, FastifyRequest } from "fastify";
import { AppError } from "../lib/app-error.ts";

const safeMethods = new Set(["GET", "HEAD", "OPTIONS"]);

/**
 * Whether another site made a browser send this request. Browsers send the origin with every
 * state-changing call; a client that sends none is not a browser and has no ambient cookie.
 */
function isCrossOrigin(request: FastifyRequest): boolean {
  const site = request.headers["sec-fetch-site"];
  if (site === "same-origin") return false;
  if (site !== undefined && site !== "none") return true;
  const origin = request.headers.origin;
  if (origin === undefined) return false;
  return URL.parse(origin)?.host !== request.host;
}

/** Refuses state-changing calls that another origin makes with a visitor's cookies. */
export function registerSameOrigin(app: FastifyInstance): void {
  app.addHook("onRequest", async (request) => {
    if (safeMethods.has(request.method) || request.is404) return;
    if (request.routeOptions.config.allowsCrossOrigin === true) return;
    if (isCrossOrigin(request)) {
      throw new AppError("cross_origin", "This call must come from the site itself.");
    }
  });
}
