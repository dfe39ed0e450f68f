import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { User } from "../../../contract/auth.ts";
import type { AuthService } from "./auth.service.ts";
import { readCookie, writeCookie } from "../../http/cookies.ts";

declare module "fastify" {
  interface FastifyRequest {
    /** Who is signed in; the server decides at every request. */
    user: User | null;
  }
}

export const sessionCookie = "session";

/** Looks the session up where a request carries one; a stale cookie is simply nobody. */
export function registerSessions(app: FastifyInstance, auth: Pick<AuthService, "findUser">): void {
  app.decorateRequest("user", null);
  app.addHook("onRequest", async (request) => {
    const token = readCookie(request.headers.cookie, sessionCookie);
    if (token !== null && token !== "") request.user = await auth.findUser(token);
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
