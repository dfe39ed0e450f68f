import type { FastifyReply, FastifyRequest } from "fastify";
import { z } from "zod";
import {
  passwordBody,
  sessionResponse,
  setupBody,
  signInBody,
  user,
} from "#contract/accounts/auth.ts";
import { boughtTicket, renewedPageToken } from "#contract/accounts/account.ts";
import { acceptBody, invitationToken, openInvitation } from "#contract/accounts/people.ts";
import { ownPathOr } from "#contract/site/own-path.ts";
import type { App } from "#server/http/app.ts";
import type { PageTokens } from "#server/http/access/page-token.ts";
import { noPageTokenError, notSignedInError, userOf } from "#server/http/access/policy.ts";
import { noBody } from "#server/http/openapi.ts";
import { setSessionCookie } from "./session-hook.ts";
import { ownOrigin } from "#server/http/access/same-origin.ts";
import type { Visitors } from "#server/http/access/visitors.ts";
import { AppError } from "#server/lib/app-error.ts";
import type { AuthService } from "./auth.service.ts";
import type { DeviceCookies } from "./device-cookie.ts";
import { formType, isFormPost, normalizeLineBreaks } from "./form-post.ts";
import {
  registerFactorSignInRoutes,
  setPendingCookie,
} from "./second-factor/factor-sign-in.routes.ts";
import type { FactorSignInService } from "./second-factor/factor-sign-in.service.ts";
import type { PasskeysService } from "./second-factor/passkeys.service.ts";
import type { FindRelyingParty } from "./second-factor/relying-party.ts";
import { SecondFactorNeeded } from "./second-factor/pending-sign-in.ts";
import type { InvitationsService } from "./people/invitations.service.ts";
import { maxSessionDays, type SignedIn, type SignInOrigin } from "./sessions.service.ts";

/** The database ends unused sessions earlier. */
const sessionS = maxSessionDays * 24 * 3600;

/** Sessions of the browser that sent the request. */
interface BrowserSessions {
  /** Sets the cookies of a new session. */
  begin(request: FastifyRequest, reply: FastifyReply, signedIn: SignedIn): void;
  originOf(request: FastifyRequest): SignInOrigin;
}

export function registerAuthRoutes(
  app: App,
  deps: {
    auth: AuthService;
    invitations: InvitationsService;
    visitors: Visitors;
    devices: DeviceCookies;
    signIns: FactorSignInService;
    pageTokens: PageTokens;
    passkeys: PasskeysService;
    findParty: FindRelyingParty;
  },
): void {
  const { visitors, devices } = deps;
  const browser: BrowserSessions = {
    begin(request, reply, signedIn) {
      setSessionCookie(request, reply, signedIn.token, sessionS);
      devices.set(request, reply, signedIn.user.id);
    },
    originOf: (request) => ({
      addressKey: visitors.addressKey(request),
      addressGroup: visitors.addressGroupKey(request),
      device: devices.find(request),
      replaced: request.sessionToken,
      userAgent: request.headers["user-agent"],
      requestId: request.id,
    }),
  };
  registerFactorSignInRoutes(app, { ...deps, ...browser });
  registerSessionRoutes(app, deps.auth, browser);
  registerPageTokenRoutes(app, deps.pageTokens);
  registerSetupRoute(app, deps.auth, browser);
  registerInvitationRoutes(app, deps.invitations, browser);
}

/** Signing in, changing the password and signing out. */
function registerSessionRoutes(
  app: App,
  auth: AuthService,
  { begin, originOf }: BrowserSessions,
): void {
  // The sign-in form works without scripts: the browser posts it and follows a redirect.
  app.addContentTypeParser(formType, { parseAs: "string" }, (_request, text, done) => {
    const fields = [...new URLSearchParams(String(text))];
    done(
      null,
      Object.fromEntries(fields.map(([name, value]) => [name, normalizeLineBreaks(value)])),
    );
  });

  app.post(
    "/api/auth/signin",
    {
      config: { policy: "public" },
      schema: {
        tags: ["auth"],
        summary: "Sign in with email and password",
        body: signInBody.extend({ next: z.string().max(2000).optional() }),
        response: { 200: user },
      },
    },
    async (request, reply) => {
      const { email, password, next } = request.body;
      try {
        const signedIn = await auth.signIn(email, password, originOf(request));
        begin(request, reply, signedIn);
        if (isFormPost(request)) return await reply.redirect(ownPathOr(next, "/admin"), 303);
        return signedIn.user;
      } catch (error) {
        if (error instanceof SecondFactorNeeded) setPendingCookie(request, reply, error.pending);
        if (!isFormPost(request) || !(error instanceof AppError)) throw error;
        const needsSecondFactor = error instanceof SecondFactorNeeded;
        const query = new URLSearchParams(
          needsSecondFactor ? { step: "code" } : { error: error.code },
        );
        if (next !== undefined) query.set("next", ownPathOr(next, "/admin"));
        return reply.redirect(`/auth/signin?${query.toString()}`, 303);
      }
    },
  );

  app.post(
    "/api/auth/signout",
    {
      config: { policy: "public" },
      schema: { tags: ["auth"], summary: "Sign out", response: { 204: noBody } },
    },
    async (request, reply) => {
      const token = request.sessionToken;
      if (token !== null) await auth.signOut(token, request.id);
      setSessionCookie(request, reply, "", 0);
      return reply.status(204).send();
    },
  );

  app.post(
    "/api/auth/password",
    {
      config: { policy: "user" },
      schema: {
        tags: ["auth"],
        summary: "Change your password; ends all other sessions, and API tokens unless kept",
        body: passwordBody,
        response: { 204: noBody },
      },
    },
    async (request, reply) => {
      const token = request.sessionToken;
      if (token === null) throw notSignedInError();
      const changed = await auth.changePassword(userOf(request), request.body, {
        ...originOf(request),
        token,
      });
      begin(request, reply, changed);
      return reply.status(204).send();
    },
  );

  app.get(
    "/api/auth/session",
    {
      config: { policy: "public" },
      schema: {
        tags: ["auth"],
        summary: "Get the signed-in user",
        response: { 200: sessionResponse },
      },
    },
    async (request, reply) => {
      void reply.header("cache-control", "no-store");
      return { user: request.user };
    },
  );
}

/** Routes that give a back-office page what its requests need besides the session cookie. */
function registerPageTokenRoutes(app: App, pageTokens: PageTokens): void {
  app.post(
    "/api/auth/page-token",
    {
      config: { policy: "user", allowsOutsideBackOffice: true },
      schema: {
        tags: ["auth"],
        summary: "Replace the page token of the same user's earlier session",
        response: { 200: renewedPageToken },
      },
    },
    async (request) => {
      const user = userOf(request);
      if (!pageTokens.belongsToUser(request, user.id)) throw noPageTokenError();
      return { token: pageTokens.create(user) };
    },
  );

  app.post(
    "/api/auth/ticket",
    {
      config: { policy: "user" },
      schema: {
        tags: ["auth"],
        summary:
          "Get a ticket for reads that a browser makes without headers, valid for 10 minutes",
        response: { 200: boughtTicket },
      },
    },
    async (request) => ({ ticket: pageTokens.createTicket(userOf(request)) }),
  );
}

/** Creates the first admin. */
function registerSetupRoute(
  app: App,
  auth: AuthService,
  { begin, originOf }: BrowserSessions,
): void {
  app.post(
    "/api/auth/setup",
    {
      config: { policy: "public" },
      schema: {
        tags: ["auth"],
        summary: "Create the first admin with the one-time link",
        body: setupBody,
        response: { 201: user },
      },
    },
    async (request, reply) => {
      const { token, email, password, name } = request.body;
      const created = await auth.setUp(
        { token, email, password, name: name ?? "" },
        { ...originOf(request), siteOrigin: ownOrigin(request) },
      );
      begin(request, reply, created);
      return reply.status(201).send(created.user);
    },
  );
}

function registerInvitationRoutes(
  app: App,
  invitations: InvitationsService,
  { begin, originOf }: BrowserSessions,
): void {
  app.post(
    "/api/auth/invitation",
    {
      config: { policy: "public" },
      schema: {
        tags: ["auth"],
        summary: "Get what an invitation offers",
        body: invitationToken,
        response: { 200: openInvitation },
      },
    },
    (request) => invitations.open(request.body.token),
  );

  app.post(
    "/api/auth/invitation/accept",
    {
      config: { policy: "public" },
      schema: {
        tags: ["auth"],
        summary: "Create the account that an invitation offers, and sign in",
        body: acceptBody,
        response: { 201: user },
      },
    },
    async (request, reply) => {
      const { token, password, name } = request.body;
      const input = { token, password, name: name ?? "" };
      const created = await invitations.accept(input, originOf(request));
      begin(request, reply, created);
      return reply.status(201).send(created.user);
    },
  );
}
