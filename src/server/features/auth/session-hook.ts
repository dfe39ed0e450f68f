import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { writeCookie } from "../../http/access/cookies.ts";
import { sessionCookieName, type SessionCookies } from "../../http/access/session-cookie.ts";
import type { AuthService } from "./auth.service.ts";

/** Finds the user of each request that carries a session. An unknown session counts as none. */
export function registerSessions(
  app: FastifyInstance,
  deps: { auth: Pick<AuthService, "findUser">; sessionCookies: SessionCookies },
): void {
  const { auth, sessionCookies } = deps;
  app.decorateRequest("user", null);
  app.decorateRequest("sessionToken", null);
  app.addHook("onRequest", (request, _reply, done) => {
    const isSecure = request.protocol === "https";
    request.sessionToken = sessionCookies.read(request.headers.cookie, isSecure);
    if (request.sessionToken === null) return done();
    return auth.findUser(request.sessionToken).then((user) => {
      request.user = user;
    });
  });
}

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
