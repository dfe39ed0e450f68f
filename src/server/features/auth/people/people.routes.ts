import { z } from "zod";
import {
  accountSessions,
  createdInvitation,
  invitationBody,
  people as peopleResponse,
  person,
  personPatch,
} from "#contract/accounts/people.ts";
import type { App } from "#server/http/app.ts";
import { userOf } from "#server/http/access/policy.ts";
import { noBody } from "#server/http/openapi.ts";
import type { Logger } from "#server/lib/logger.ts";
import { requestTimeoutMs, type Mailer } from "#server/lib/mailer.ts";
import type { SettingsService } from "#server/features/settings/settings.service.ts";
import type { FindAccountUrl } from "../account-url.ts";
import type { InvitationsService } from "./invitations.service.ts";
import { invitationMail } from "./mail-texts.ts";
import type { PeopleService } from "./people.service.ts";

const tags = ["people"];
const params = z.object({ id: z.string().min(1).max(200) });
const sessionParams = params.extend({ sessionId: z.string().min(1).max(200) });
const config = { policy: "people.manage" } as const;
const guarded = { policy: "people.manage", confirms: "people" } as const;

interface PeopleRouteDeps {
  people: PeopleService;
  invitations: InvitationsService;
  mailer: Mailer;
  settings: SettingsService;
  findAccountUrl: FindAccountUrl;
  logger: Logger;
}

/** Routes for managing access to the back office: invitations, roles, sessions. */
export function registerPeopleRoutes(app: App, deps: PeopleRouteDeps): void {
  const { people, mailer } = deps;
  registerInvitationRoutes(app, deps);

  app.get(
    "/api/admin/people",
    {
      config,
      schema: {
        tags,
        summary: "List users and open invitations",
        response: { 200: peopleResponse },
      },
    },
    async () => ({ ...(await people.list()), sendsMail: mailer.isConfigured }),
  );

  app.put(
    "/api/admin/people/:id",
    {
      config: guarded,
      schema: {
        tags,
        summary: "Change a user's role, or disable or enable the user; ends all their sessions",
        params,
        body: personPatch,
        response: { 200: person },
      },
    },
    (request) => people.change(request.params.id, request.body, userOf(request), request.id),
  );

  app.delete(
    "/api/admin/people/:id",
    {
      config: guarded,
      schema: {
        tags,
        summary: "Remove a user and end all their sessions",
        params,
        response: { 204: noBody },
      },
    },
    async (request, reply) => {
      await people.remove(request.params.id, userOf(request), request.id);
      return reply.status(204).send();
    },
  );

  app.get(
    "/api/admin/people/:id/sessions",
    {
      config,
      schema: {
        tags,
        summary: "List a user's sessions",
        params,
        response: { 200: accountSessions },
      },
    },
    (request) => people.listSessions(request.params.id),
  );

  app.delete(
    "/api/admin/people/:id/sessions",
    {
      config,
      schema: { tags, summary: "Sign a user out everywhere", params, response: { 204: noBody } },
    },
    async (request, reply) => {
      await people.endSessions(request.params.id, null, userOf(request), request.id);
      return reply.status(204).send();
    },
  );

  app.delete(
    "/api/admin/people/:id/sessions/:sessionId",
    {
      config,
      schema: {
        tags,
        summary: "End one of a user's sessions",
        params: sessionParams,
        response: { 204: noBody },
      },
    },
    async (request, reply) => {
      const { id, sessionId } = request.params;
      await people.endSessions(id, sessionId, userOf(request), request.id);
      return reply.status(204).send();
    },
  );
}

function registerInvitationRoutes(app: App, deps: PeopleRouteDeps): void {
  const { invitations, mailer, settings, findAccountUrl, logger } = deps;

  /**
   * Never fails, because the invitation is already stored and its link must be shown.
   * @returns whether the mail server accepted the mail; false without SMTP.
   */
  async function mailInvitation(to: string, path: string, invitedBy: string): Promise<boolean> {
    if (!mailer.isConfigured) return false;
    try {
      const { siteName } = await settings.getPublic();
      const link = (await findAccountUrl()) + path;
      await mailer.send({ to, ...invitationMail({ siteName, link, invitedBy }) }, requestTimeoutMs);
      return true;
    } catch (error) {
      logger.warn({ err: error }, "couldn't send an invitation");
      return false;
    }
  }

  app.post(
    "/api/admin/people/invitations",
    {
      config: guarded,
      schema: {
        tags,
        summary: "Create an invitation link; also sent by email if SMTP is configured",
        body: invitationBody,
        response: { 201: createdInvitation },
      },
    },
    async (request, reply) => {
      const by = userOf(request);
      const { invitation, token } = await invitations.invite(request.body, by, request.id);
      const path = `/auth/invitation?token=${token}`;
      const isMailed = await mailInvitation(invitation.email, path, by.email);
      return reply.status(201).send({ invitation, path, isMailed });
    },
  );

  app.delete(
    "/api/admin/people/invitations/:id",
    {
      config: guarded,
      schema: { tags, summary: "Withdraw an invitation", params, response: { 204: noBody } },
    },
    async (request, reply) => {
      await invitations.revoke(request.params.id, userOf(request), request.id);
      return reply.status(204).send();
    },
  );
}
