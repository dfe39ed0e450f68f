import type { FastifyReply, FastifyRequest } from "fastify";
import { z } from "zod";
import {
  accessRules,
  account as accountResponse,
  accountPatch,
  confirmBody,
  emailBody,
  passkeyOptions,
  type PasskeyAssertion,
} from "#contract/accounts/account.ts";
import { accountSessions } from "#contract/accounts/people.ts";
import type { App } from "#server/http/app.ts";
import { notSignedInError, userOf, type SignedInUser } from "#server/http/access/policy.ts";
import { noBody } from "#server/http/openapi.ts";
import { AppError } from "#server/lib/app-error.ts";
import type { Visitors } from "#server/http/access/visitors.ts";
import type { Db } from "#server/db/connection.ts";
import type { AuthService } from "../auth.service.ts";
import { setSessionCookie } from "../session-hook.ts";
import type { SessionsService } from "../sessions.service.ts";
import type { PasskeysService } from "../second-factor/passkeys.service.ts";
import type { FindRelyingParty } from "../second-factor/relying-party.ts";
import type { AccountService } from "./account.service.ts";

const tags = ["account"];
const params = z.object({ id: z.string().min(1).max(200) });
const config = { policy: "user" } as const;

/** Routes of the user's own account: name, address, sessions, and confirming the password. */
export function registerAccountRoutes(
  app: App,
  deps: {
    db: Db;
    auth: AuthService;
    account: AccountService;
    passkeys: PasskeysService;
    findParty: FindRelyingParty;
    visitors: Visitors;
  },
): void {
  const { db, auth, account, passkeys, findParty, visitors } = deps;
  registerAccountSessionRoutes(app, db, auth.sessions);

  async function checkPassword(request: FastifyRequest, password: string) {
    const token = request.sessionToken;
    if (token === null) throw notSignedInError();
    await auth.checkPassword(userOf(request), password, {
      token,
      addressKey: visitors.addressKey(request),
      addressGroup: visitors.addressGroupKey(request),
      field: "password",
      requestId: request.id,
    });
  }

  async function usePasskey({ id }: SignedInUser, response: PasskeyAssertion) {
    const verified = await passkeys.verify(response, await findParty(), id);
    const isUsed =
      verified !== null && (await db.transaction().execute((trx) => passkeys.use(trx, verified)));
    if (!isUsed) throw new AppError("invalid", "This passkey wasn't accepted. Try another one.");
  }

  app.get(
    "/api/account",
    {
      config,
      schema: { tags, summary: "Get your account", response: { 200: accountResponse } },
    },
    (request) => account.get(userOf(request)),
  );

  app.put(
    "/api/account",
    {
      config,
      schema: { tags, summary: "Change your name", body: accountPatch, response: { 204: noBody } },
    },
    async (request, reply) => {
      await account.rename(userOf(request), request.body.name, request.id);
      return reply.status(204).send();
    },
  );

  app.post(
    "/api/account/email",
    {
      config: { policy: "user", confirms: "email" },
      schema: {
        tags,
        summary: "Change your email address",
        body: emailBody,
        response: { 204: noBody },
      },
    },
    async (request, reply) => {
      await account.changeEmail(userOf(request), request.body.email, request.id);
      return reply.status(204).send();
    },
  );

  app.post(
    "/api/account/confirm/passkey",
    {
      config,
      schema: {
        tags,
        summary: "Get options to confirm a change with a passkey",
        response: { 200: passkeyOptions },
      },
    },
    async (request) => ({
      options: await passkeys.beginConfirming(userOf(request).id, await findParty()),
    }),
  );

  app.post(
    "/api/account/confirm",
    {
      config,
      schema: {
        tags,
        summary: "Confirm with your password or a passkey, for calls that require it",
        body: confirmBody,
        response: { 204: noBody },
      },
    },
    async (request, reply) => {
      const { password, response } = request.body;
      if (password !== undefined) await checkPassword(request, password);
      else if (response !== undefined) await usePasskey(userOf(request), response);
      await auth.sessions.confirm(userOf(request).sessionId);
      return reply.status(204).send();
    },
  );

  app.put(
    "/api/admin/people/rules",
    {
      config: { policy: "people.manage", confirms: "second-factor-rule" },
      schema: {
        tags: ["people"],
        summary: "Require two-factor sign-in for every user, or stop requiring it",
        body: accessRules,
        response: { 200: accessRules },
      },
    },
    async (request) => {
      const { isSecondFactorRequired } = request.body;
      await account.requireSecondFactor(userOf(request), isSecondFactorRequired, request.id);
      return { isSecondFactorRequired };
    },
  );
}

function registerAccountSessionRoutes(app: App, db: Db, sessions: SessionsService): void {
  async function endSessions(request: FastifyRequest, reply: FastifyReply, id: string | null) {
    const user = userOf(request);
    await db.transaction().execute(async (trx) => {
      await sessions.end(trx, user, id, { user, requestId: request.id });
    });
    if (id === null || id === user.sessionId) setSessionCookie(request, reply, "", 0);
    return reply.status(204).send();
  }

  app.get(
    "/api/account/sessions",
    {
      config,
      schema: {
        tags,
        summary: "List your sessions",
        response: { 200: accountSessions },
      },
    },
    (request) => {
      const { id, sessionId } = userOf(request);
      return sessions.listOf(id, sessionId);
    },
  );

  app.delete(
    "/api/account/sessions",
    { config, schema: { tags, summary: "Sign out everywhere", response: { 204: noBody } } },
    (request, reply) => endSessions(request, reply, null),
  );

  app.delete(
    "/api/account/sessions/:id",
    {
      config,
      schema: { tags, summary: "End one of your sessions", params, response: { 204: noBody } },
    },
    (request, reply) => endSessions(request, reply, request.params.id),
  );
}
