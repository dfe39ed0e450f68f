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
import type { RestrictionsService } from "#server/features/restrictions/restrictions.service.ts";
import type { VideosService } from "#server/features/videos/videos.service.ts";
import { actorOf } from "#server/http/access/policy.ts";
import type { Visitors } from "#server/http/access/visitors.ts";
import type { App } from "#server/http/app.ts";
import { targetOf } from "#server/http/request-target.ts";
import { AppError } from "#server/lib/app-error.ts";
import type { Membership } from "./membership.ts";
import { passPage, passPagePolicy, type PassView } from "./pass-page.ts";
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
    { config, schema: { tags, summary: "Revoke a pass on all its devices", params } },
    async (request, reply) => {
      await passes.revoke(request.params.id, actorOf(request));
      return reply.status(204).send();
    },
  );

  app.post(
    "/api/admin/passes/:id/mail",
    { config, schema: { tags, summary: "Email the link of a pass to its address", params } },
    async (request, reply) => {
      await passes.mail(request.params.id);
      return reply.status(204).send();
    },
  );
}

/** Accepts only paths of this site. */
const safeNext = (next: string): string =>
  /^\/(?![/\\])[^\s\\]*$/.test(next) && !/^\/pass(?:[/?#]|$)/.test(next) ? next : "/home";

const next = z.string().max(2000).default("/home").transform(safeNext);
const form = z.object({
  do: z.enum(["look", "use", "out", "leave"]).default("look"),
  code: z.string().min(1).max(100).optional(),
  device: z.uuid().optional(),
  replaced: z.uuid().optional(),
  next,
});

/** The page of a pass, and the calls with which members get what a locked video withholds. */
export function registerMemberRoutes(
  app: App,
  deps: {
    membership: Membership;
    visitors: Visitors;
    restrictions: RestrictionsService;
    videos: VideosService;
    transcripts: TranscriptsService;
  },
): void {
  const { membership, visitors, restrictions, videos, transcripts } = deps;

  /** Returns the member who sends the request. No cache may store the response. */
  async function findMember(request: FastifyRequest, reply: FastifyReply) {
    void reply.headers({ "cache-control": "private, no-store", vary: "Cookie" });
    const member = await membership.find(request);
    if (member === null) throw membersOnly();
    return member;
  }

  function send(request: FastifyRequest, reply: FastifyReply, view: PassView) {
    return reply
      .headers({
        "content-type": "text/html; charset=utf-8",
        "content-security-policy": passPagePolicy,
        "cache-control": "private, no-store",
        vary: "Cookie",
        "referrer-policy": "same-origin",
      })
      .send(passPage(restrictions.simplePage(request.raw, targetOf(request.raw).fullUrl), view));
  }

  app.get(
    "/pass",
    {
      config: { policy: "visitor" },
      schema: {
        tags,
        summary: "Get the page of the pass that this device uses",
        querystring: z.object({ next }),
      },
    },
    async (request, reply) =>
      send(request, reply, {
        pass: await membership.findOwn(request),
        code: null,
        problem: null,
        next: request.query.next,
      }),
  );

  app.post(
    "/pass",
    {
      config: { policy: "visitor" },
      schema: {
        tags,
        summary: "Look up a pass, use it on this device, or sign out one of its devices",
        body: form,
      },
    },
    async (request, reply) => {
      const { do: action, code = null, device, replaced = null, next: back } = request.body;
      if (action === "leave") {
        await membership.leave(request);
        membership.forget(request, reply);
        return reply.redirect(back, 303);
      }
      const find = () =>
        code === null
          ? membership.findOwn(request)
          : membership.findByCode(code, request, visitors.addressKey(request));
      const found = await find().catch((error: unknown) => {
        if (error instanceof AppError && error.code === "rate_limited") return "limited" as const;
        throw error;
      });
      if (found === null || found === "limited") {
        void reply.status(found === null ? 404 : 429);
        const problem = found ?? (code === null ? null : "unknown");
        return send(request, reply, { pass: null, code: null, problem, next: back });
      }
      const pass = found;
      if (action === "out" && device !== undefined) {
        await membership.signOut(pass, device);
        if (device === pass.ownDeviceId) membership.forget(request, reply);
        else if (code !== null) {
          return send(request, reply, { pass: await find(), code, problem: null, next: back });
        }
      }
      if (action === "use" && code !== null) {
        const asked = await membership.use(code, replaced, request, reply);
        if (asked !== null) {
          void reply.status(409);
          return send(request, reply, { pass: asked, code, problem: null, next: back });
        }
      }
      if (action !== "look") {
        // A reload must not repeat it.
        const path = targetOf(request.raw).fullUrl.split("?", 1)[0] ?? "/pass";
        return reply.redirect(`${path}?next=${encodeURIComponent(back)}`, 303);
      }
      return send(request, reply, { pass, code, problem: null, next: back });
    },
  );

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
      const member = await findMember(request, reply);
      const found = await videos.get(request.params.id, { isAdmin: false, isMember: true });
      await membership.noteUse(member, request, reply);
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
      await findMember(request, reply);
      const found = await videos.get(request.params.id, { isAdmin: false, isMember: true });
      return transcripts.get(found, request.query);
    },
  );
}

export const membersOnly = () => new AppError("members_only", "Only members can play this video.");
