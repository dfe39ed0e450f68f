import {
  commentBody,
  commentList,
  commentQuery,
  sentComment,
} from "#contract/visitors/comments.ts";
import { videoParams } from "#contract/videos/videos.ts";
import type { Visitors } from "#server/http/access/visitors.ts";
import { pageForSender } from "#server/http/page-language.ts";
import { hasPermission } from "#server/http/access/policy.ts";
import type { App } from "#server/http/app.ts";
import { AppError } from "#server/lib/app-error.ts";
import { isFormPost } from "#server/features/auth/form-post.ts";
import type { CommentsService } from "./comments.service.ts";

const tags = ["comments"];
/** Forms percent-encode text, which makes text in other scripts up to nine times as long. */
const bodyLimit = 64 * 1024;

/** Routes for reading and writing comments. The form works without scripts. */
export function registerCommentRoutes(
  app: App,
  deps: { comments: CommentsService; visitors: Visitors },
): void {
  const { comments, visitors } = deps;

  app.get(
    "/api/videos/:id/comments",
    {
      config: { policy: "public", cache: { ttlMs: 1000 } },
      schema: {
        tags,
        summary: "List a video's comments, newest first; 404 if comments are off",
        params: videoParams,
        querystring: commentQuery,
        response: { 200: commentList },
      },
    },
    (request) => comments.list(request.params.id, request.query.cursor ?? null),
  );

  app.post(
    "/api/videos/:id/comments",
    {
      config: { policy: "visitor" },
      bodyLimit,
      attachValidation: true,
      schema: {
        tags,
        summary: "Write a comment; null if it awaits moderation",
        params: videoParams,
        body: commentBody,
        response: { 201: sentComment },
      },
    },
    async (request, reply) => {
      const page = pageForSender(request, `/comments/${encodeURIComponent(request.params.id)}`);
      try {
        // Forms redirect back to their page, even for invalid input.
        if (request.validationError !== undefined) throw request.validationError;
        const sent = await comments.post(request.params.id, request.body, {
          visitorId: visitors.ensure(request, reply),
          addressKey: visitors.addressKey(request),
          addressGroup: visitors.addressGroupKey(request),
          isStaff: hasPermission(request.user, "content.read"),
        });
        if (!isFormPost(request)) return await reply.status(201).send(sent);
        return await reply.redirect(
          `${page}?sent=${sent.comment === null ? "held" : "shown"}`,
          303,
        );
      } catch (error) {
        const isInvalid = error === request.validationError;
        if (!isFormPost(request) || !(isInvalid || error instanceof AppError)) throw error;
        const code = error instanceof AppError ? error.code : "invalid";
        return reply.redirect(`${page}?error=${code}`, 303);
      }
    },
  );
}
