import type { FastifyReply, FastifyRequest } from "fastify";
import { z } from "zod";
import {
  passBatch,
  passBatchBody,
  passBody,
  passList,
  passPatch,
  passQuery,
  passWithLink,
} from "#contract/visitors/passes.ts";
import { transcript, transcriptQuery } from "#contract/videos/transcript.ts";
import { video, videoParams } from "#contract/videos/videos.ts";
import type { TranscriptsService } from "#server/features/captions/transcripts.service.ts";
import type { VideosService } from "#server/features/videos/videos.service.ts";
import { actorOf } from "#server/http/access/policy.ts";
import type { App } from "#server/http/app.ts";
import { noBody } from "#server/http/openapi.ts";
import { AppError } from "#server/lib/app-error.ts";
import type { Membership } from "./membership.ts";
import type { PassesService } from "./passes.service.ts";

const tags = ["members"];
const params = z.object({ id: z.string().min(1).max(200) });
const config = { policy: "passes.edit" } as const;

/** Calls of the back office and of shops. None of them uses stored responses, which hold secrets. */
export function registerPassRoutes(app: App, { passes }: { passes: PassesService }): void {
  app.get(
    "/api/admin/passes",
    {
      config,
      schema: {
        tags,
        summary: "List members' passes, newest first",
        querystring: passQuery,
        response: { 200: passList },
      },
    },
    (request) => passes.list(request.query),
  );

  app.post(
    "/api/admin/passes",
    {
      config,
      schema: {
        tags,
        summary: "Create a pass; a repeated reference returns the same pass with status 200",
        body: passBody,
        response: { 200: passWithLink, 201: passWithLink },
      },
    },
    async (request, reply) => {
      const { pass, isNew } = await passes.create(request.body, actorOf(request));
      return reply.status(isNew ? 201 : 200).send(pass);
    },
  );

  app.post(
    "/api/admin/passes/batch",
    {
      config,
      schema: {
        tags,
        summary: "Create several passes with the same terms",
        body: passBatchBody,
        response: { 201: passBatch },
      },
    },
    async (request, reply) => {
      const created = await passes.createMany(request.body, actorOf(request));
      return reply.status(201).send({ passes: created });
    },
  );

  app.get(
    "/api/admin/passes/:id",
    {
      config,
      schema: {
        tags,
        summary: "Get a pass with its link",
        params,
        response: { 200: passWithLink },
      },
    },
    (request) => passes.get(request.params.id),
  );

  app.put(
    "/api/admin/passes/:id",
    {
      config,
      schema: {
        tags,
        summary: "Change or extend a pass; absent fields stay as they are",
        params,
        body: passPatch,
        response: { 200: passWithLink },
      },
    },
    (request) => passes.update(request.params.id, request.body, actorOf(request)),
  );

  app.delete(
    "/api/admin/passes/:id",
    {
      config,
      schema: {
        tags,
        summary: "Revoke a pass on all its devices",
        params,
        response: { 204: noBody },
      },
    },
    async (request, reply) => {
      await passes.revoke(request.params.id, actorOf(request));
      return reply.status(204).send();
    },
  );

  app.post(
    "/api/admin/passes/:id/mail",
    {
      config,
      schema: {
        tags,
        summary: "Email the link of a pass to its address",
        params,
        response: { 204: noBody },
      },
    },
    async (request, reply) => {
      await passes.mail(request.params.id, actorOf(request));
      return reply.status(204).send();
    },
  );
}

/** Calls with which members get what a locked video withholds. */
export function registerMemberRoutes(
  app: App,
  deps: {
    membership: Membership;
    videos: VideosService;
    transcripts: TranscriptsService;
  },
): void {
  const { membership, videos, transcripts } = deps;

  /**
   * Returns the video as the requester may see it, and the requester's pass, which nobody needs while
   * premium is only a badge. No cache may store the response.
   * @throws AppError members_only
   */
  async function open(id: string, request: FastifyRequest, reply: FastifyReply) {
    void reply.headers({ "cache-control": "private, no-store", vary: "Cookie" });
    const member = await membership.find(request);
    if (member === null) await membership.forgetEnded(request, reply);
    const found = await videos.get(id, { isAdmin: false, isMember: member !== null });
    if (found.isLocked === true) throw membersOnly();
    return { found, member };
  }

  app.get(
    "/api/members/videos/:id",
    {
      config: { policy: "visitor" },
      schema: {
        tags,
        summary: "Get a video as members see it, with the addresses of its files",
        params: videoParams,
        response: { 200: video },
      },
    },
    async (request, reply) => {
      const { found, member } = await open(request.params.id, request, reply);
      if (member !== null) await membership.noteUse(member, request, reply);
      return found;
    },
  );

  app.get(
    "/api/members/videos/:id/transcript",
    {
      config: { policy: "visitor" },
      schema: {
        tags,
        summary: "Get a part of a video's transcript as a member",
        params: videoParams,
        querystring: transcriptQuery,
        response: { 200: transcript },
      },
    },
    async (request, reply) => {
      const { found } = await open(request.params.id, request, reply);
      return transcripts.get(found, request.query);
    },
  );
}

export const membersOnly = () => new AppError("members_only", "Only members can play this video.");
