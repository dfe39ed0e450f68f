import type { FastifyReply, FastifyRequest } from "fastify";
import { z } from "zod";
import { codeBody, passkeyBody, passkeyOptions } from "#contract/accounts/account.ts";
import { user } from "#contract/accounts/auth.ts";
import { ownPathOr } from "#contract/site/own-path.ts";
import { readCookie, writeCookie } from "#server/http/access/cookies.ts";
import type { App } from "#server/http/app.ts";
import { AppError } from "#server/lib/app-error.ts";
import type { SignedIn, SignInOrigin } from "../sessions.service.ts";
import { isFormPost } from "../form-post.ts";
import type { FactorSignInService } from "./factor-sign-in.service.ts";
import { pendingS } from "./pending-sign-in.ts";
import type { PasskeysService } from "./passkeys.service.ts";
import type { FindRelyingParty } from "./relying-party.ts";

const tags = ["auth"];
const nameOf = (request: FastifyRequest) =>
  request.protocol === "https" ? "__Host-pending" : "pending";

/** Stores the proof of the right password until the user enters the code. */
export function setPendingCookie(
  request: FastifyRequest,
  reply: FastifyReply,
  pending: string,
  maxAgeS = pendingS,
): void {
  const isSecure = request.protocol === "https";
  void reply.header("set-cookie", writeCookie(nameOf(request), pending, { maxAgeS, isSecure }));
}

/** Routes for the second step of a sign-in, and for signing in with a passkey. */
export function registerFactorSignInRoutes(
  app: App,
  deps: {
    signIns: FactorSignInService;
    passkeys: PasskeysService;
    findParty: FindRelyingParty;
    originOf: (request: FastifyRequest) => SignInOrigin;
    begin: (request: FastifyRequest, reply: FastifyReply, signedIn: SignedIn) => void;
  },
): void {
  const { signIns, passkeys, findParty, originOf, begin } = deps;

  app.post(
    "/api/auth/second-factor",
    {
      config: { policy: "public" },
      schema: {
        tags,
        summary: "Complete sign-in with a code from the authenticator app or a recovery code",
        body: codeBody.extend({ next: z.string().max(2000).optional() }),
        response: { 200: user },
      },
    },
    async (request, reply) => {
      const { code, next } = request.body;
      const pending = readCookie(request.headers.cookie, nameOf(request)) ?? "";
      try {
        const signedIn = await signIns.giveCode(pending, code, originOf(request));
        setPendingCookie(request, reply, "", 0);
        begin(request, reply, signedIn);
        if (isFormPost(request)) return await reply.redirect(ownPathOr(next, "/admin"), 303);
        return signedIn.user;
      } catch (error) {
        if (!isFormPost(request) || !(error instanceof AppError)) throw error;
        const query = new URLSearchParams({ error: error.code, next: ownPathOr(next, "/admin") });
        if (error.code !== "unauthenticated") query.set("step", "code");
        return reply.redirect(`/auth/signin?${query.toString()}`, 303);
      }
    },
  );

  app.post(
    "/api/auth/passkey/options",
    {
      config: { policy: "public" },
      schema: {
        tags,
        summary: "Get options to sign in with a passkey",
        response: { 200: passkeyOptions },
      },
    },
    async () => ({ options: await passkeys.beginSignIn(await findParty()) }),
  );

  app.post(
    "/api/auth/passkey",
    {
      config: { policy: "public" },
      schema: {
        tags,
        summary: "Sign in with a passkey",
        body: passkeyBody,
        response: { 200: user },
      },
    },
    async (request, reply) => {
      const party = await findParty();
      const signedIn = await signIns.usePasskey(request.body.response, party, originOf(request));
      begin(request, reply, signedIn);
      return signedIn.user;
    },
  );
}
