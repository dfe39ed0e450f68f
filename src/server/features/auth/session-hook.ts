import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { writeCookie } from "../../http/access/cookies.ts";
import { readSessionToken, sessionCookieName } from "../../http/access/session-cookie.ts";
import type { AuthService } from "./auth.service.ts";

/** Finds the user of each request that carries a session. An unknown session counts as none. */
export function registerSessions(app: FastifyInstance, auth: Pick<AuthService, "findUser">): void {
  app.decorateRequest("user", null);
  app.addHook("onRequest", async (request) => {
    const token = sessionTokenOf(request);
    if (token !== null) request.user = await auth.findUser(token);
  });
}

/** The session token of a request, or null. */
export const sessionTokenOf = (request: FastifyRequest): string | null =>
  readSessionToken(request.headers.cookie, request.protocol === "https");

export function setSessionCookie(
  request: FastifyRequest,
  reply: FastifyReply,
  token: string,
  maxAgeS: number,
): void {
  const isSecure = request.protocol === "https";
  const name = sessionCookieName(isSecure);
  void reply.header("set-cookie", writeCookie(name, token, { maxAgeS, isSecure }));
}
