import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { writeCookie } from "#server/http/access/cookies.ts";
import { sessionCookieName, type SessionCookies } from "#server/http/access/session-cookie.ts";
import { registerMediaTickets, type PageTokens } from "#server/http/access/page-token.ts";
import type { SignedInUser } from "#server/http/access/policy.ts";
import type { ApiTokensService } from "./tokens/api-tokens.service.ts";
import type { AuthService } from "./auth.service.ts";

declare module "fastify" {
  interface FastifyContextConfig {
    /** True for a route that responds without the database, even to signed-in users. */
    skipsSession?: boolean;
  }
}

/**
 * Finds the user of each request that has a session or an API token. Unknown ones are ignored. A
 * token takes precedence over a cookie, so that a program never uses a leftover session.
 */
export function registerSessions(
  app: FastifyInstance,
  deps: {
    auth: AuthService & { tokens: ApiTokensService };
    sessionCookies: SessionCookies;
    pageTokens: PageTokens;
  },
): void {
  const { auth, sessionCookies, pageTokens } = deps;

  async function findSessionUser(
    request: FastifyRequest,
    token: string,
  ): Promise<SignedInUser | null> {
    const user = await auth.findUser(token);
    if (user === null) return null;
    const { isAllowed, mediaTicket } = pageTokens.check(request, user);
    request.mediaTicket = mediaTicket;
    return { ...user, isOutsideBackOffice: !isAllowed };
  }

  registerMediaTickets(app);
  app.decorateRequest("user", null);
  app.decorateRequest("sessionToken", null);
  app.decorateRequest("findUser", function (this: FastifyRequest) {
    const apiToken = sessionCookies.readApiToken(this.headers.authorization);
    if (apiToken !== null) return auth.tokens.findUser(apiToken);
    return this.sessionToken === null ? null : findSessionUser(this, this.sessionToken);
  });
  app.addHook("onRequest", (request, _reply, done) => {
    if (request.routeOptions.config.skipsSession === true) return done();
    if (sessionCookies.readApiToken(request.headers.authorization) === null) {
      const isSecure = request.protocol === "https";
      request.sessionToken = sessionCookies.read(request.headers.cookie, isSecure);
    }
    const found = request.findUser();
    if (found === null) return done();
    return found.then((user) => {
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
