import { z } from "zod";
import {
  codeBody,
  newPasskeyBody,
  passkeyOptions,
  recoveryCodes,
  totpSecret,
} from "#contract/accounts/account.ts";
import { limits } from "#contract/limits.ts";
import type { App } from "#server/http/app.ts";
import { userOf } from "#server/http/access/policy.ts";
import { noBody } from "#server/http/openapi.ts";
import type { SettingsService } from "#server/features/settings/settings.service.ts";
import type { PasskeysService } from "./passkeys.service.ts";
import type { FindRelyingParty } from "./relying-party.ts";
import type { SecondFactorsService } from "./second-factors.service.ts";

const tags = ["account"];
const params = z.object({ id: z.string().min(1).max(1400) });
const guarded = { policy: "user", confirms: "second-factor" } as const;

/** Routes with which users add and remove their own second factors. */
export function registerSecondFactorRoutes(
  app: App,
  deps: {
    factors: SecondFactorsService;
    passkeys: PasskeysService;
    settings: SettingsService;
    findParty: FindRelyingParty;
  },
): void {
  const { factors, passkeys, settings, findParty } = deps;

  app.post(
    "/api/account/totp",
    {
      config: guarded,
      schema: {
        tags,
        summary: "Create a secret for an authenticator app; it takes effect after its first code",
        response: { 200: totpSecret },
      },
    },
    async (request) => {
      const { siteName } = await settings.getPublic();
      return factors.beginTotp(userOf(request), siteName ?? limits.defaultSiteName);
    },
  );

  app.post(
    "/api/account/totp/confirm",
    {
      config: guarded,
      schema: {
        tags,
        summary: "Activate the authenticator app with its first code",
        body: codeBody,
        response: { 200: recoveryCodes },
      },
    },
    async (request) => ({
      recoveryCodes: await factors.activateTotp(userOf(request), request.body.code, request.id),
    }),
  );

  app.delete(
    "/api/account/totp",
    {
      config: guarded,
      schema: { tags, summary: "Remove the authenticator app", response: { 204: noBody } },
    },
    async (request, reply) => {
      await factors.removeTotp(userOf(request), request.id);
      return reply.status(204).send();
    },
  );

  app.post(
    "/api/account/recovery-codes",
    {
      config: guarded,
      schema: {
        tags,
        summary: "Replace the recovery codes",
        response: { 200: recoveryCodes },
      },
    },
    async (request) => ({
      recoveryCodes: await factors.renewRecoveryCodes(userOf(request), request.id),
    }),
  );

  app.post(
    "/api/account/passkeys/options",
    {
      config: guarded,
      schema: {
        tags,
        summary: "Get options to create a passkey",
        response: { 200: passkeyOptions },
      },
    },
    async (request) => ({
      options: await passkeys.beginAdding(userOf(request), await findParty()),
    }),
  );

  app.post(
    "/api/account/passkeys",
    {
      config: guarded,
      bodyLimit: 64 * 1024,
      schema: {
        tags,
        summary: "Add the passkey that the browser created",
        body: newPasskeyBody,
        response: { 201: recoveryCodes },
      },
    },
    async (request, reply) => {
      const party = await findParty();
      const codes = await passkeys.add(userOf(request), request.body, party, request.id);
      return reply.status(201).send({ recoveryCodes: codes });
    },
  );

  app.delete(
    "/api/account/passkeys/:id",
    {
      config: guarded,
      schema: { tags, summary: "Remove a passkey", params, response: { 204: noBody } },
    },
    async (request, reply) => {
      await passkeys.remove(userOf(request), request.params.id, request.id);
      return reply.status(204).send();
    },
  );
}
