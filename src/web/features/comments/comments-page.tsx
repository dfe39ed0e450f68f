import { useState } from "react";
import { useLoaderData, type LoaderFunctionArgs } from "react-router";
import type { Comment, CommentList as Page } from "#contract/visitors/comments.ts";
import { buttonClass } from "#web/components/ui/button.tsx";
import { PageHeading } from "#web/components/ui/page-heading.tsx";
import { videoHref } from "#web/lib/lists/card-video.ts";
import { pageHandle, pageApiContext, routeFailure } from "#web/lib/page/page-route.ts";
import { siteTitle } from "#web/lib/page/share-meta.ts";
import { CommentForm } from "./comment-form.tsx";
import { CommentList } from "./comment-list.tsx";
import { inLanguage, pagePath } from "#web/lib/language/page-language.ts";
import { useQueryParams } from "#web/lib/page/query-params.ts";

const messages = inLanguage("comments");

interface CommentsData extends Page {
  slug: string;
  title: string;
}

export async function loader({
  params,
  request,
  context,
}: LoaderFunctionArgs): Promise<CommentsData> {
  const api = context.get(pageApiContext);
  const key = params.slug ?? "";
  const cursor = new URL(request.url).searchParams.get("cursor");
  try {
    const [{ slug, title }, page] = await Promise.all([
      api.getVideo(key),
      api.listComments(key, cursor),
    ]);
    return { slug, title, ...page };
  } catch (error) {
    throw routeFailure(error);
  }
}

export const handle = pageHandle<CommentsData>({
  query: ["sent", "error", "cursor"],
  head: ({ site }) => ({
    title: siteTitle(messages.title, site),
    meta: [{ name: "robots", content: "noindex" }],
  }),
});

/** Separate page with the comments of a video, which works without scripts. */
export function Component() {
  const { slug, title, comments, nextCursor } = useLoaderData<CommentsData>();
  const params = useQueryParams();
  const [own, setOwn] = useState<readonly Comment[]>([]);
  const sent = params.get("sent");
  const initial =
    sent === "held" || sent === "shown" ? sent : params.has("error") ? "failed" : null;
  return (
    <div className="max-w-2xl pb-8">
      <PageHeading title={messages.title} />
      <p className="mb-6 font-medium break-words">
        <bdi>{title}</bdi>
      </p>
      <CommentForm
        slug={slug}
        initial={initial}
        onSent={(comment) => setOwn((before) => [comment, ...before])}
      />
      <div className="mt-8">
        <CommentList slug={slug} own={params.has("cursor") ? [] : own} listed={comments} />
      </div>
      <div className="mt-6 flex flex-wrap gap-3">
        {nextCursor === null ? null : (
          <a href={`?cursor=${nextCursor}`} className={buttonClass({ kind: "quiet" })}>
            {messages.more}
          </a>
        )}
        <a href={pagePath(videoHref(slug))} className={buttonClass({ kind: "quiet" })}>
          {messages.back}
        </a>
      </div>
    </div>
  );
}
