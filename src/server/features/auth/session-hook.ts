import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { writeCookie } from "../../http/cookies.ts";
import { readSessionToken, sessionCookie } from "../../http/session-cookie.ts";
import type { AuthService } from "./auth.service.ts";

/** Finds the user of each request that carries a session. An unknown session counts as none. */
export function registerSessions(app: FastifyInstance, auth: Pick<AuthService, "findUser">): void {
  app.decorateRequest("user", null);
  app.addHook("onRequest", async (request) => {
    const token = readSessionToken(request.headers.cookie);
    if (token !== null) request.user = await auth.findUser(token);
  });
}

export function setSessionCookie(
  request: FastifyRequest,
  reply: FastifyReply,
  token: string,
  maxAgeS: number,
): void {
  void reply.header(
    "set-cookie",
    writeCookie(sessionCookie, token, { maxAgeS, isSecure: request.protocol === "https" }),
  );
}
