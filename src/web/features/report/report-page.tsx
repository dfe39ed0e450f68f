import { useLoaderData, type LoaderFunctionArgs } from "react-router";
import { Button, buttonClass } from "#web/components/ui/button.tsx";
import { PageHeading } from "#web/components/ui/page-heading.tsx";
import { videoHref } from "#web/lib/lists/card-video.ts";
import { pageHandle, pageApiContext, routeFailure } from "#web/lib/page/page-route.ts";
import { siteTitle } from "#web/lib/page/share-meta.ts";
import { FormDone } from "./form-notes.tsx";
import { ReportForm } from "./report-form.tsx";
import { useFormSending } from "./use-form-sending.ts";
import { inLanguage, pagePath } from "#web/lib/language/page-language.ts";
import { useQueryParams } from "#web/lib/page/query-params.ts";

const messages = inLanguage("report");

interface ReportedVideo {
  slug: string;
  title: string;
}

export async function loader({ params, context }: LoaderFunctionArgs): Promise<ReportedVideo> {
  try {
    const { slug, title } = await context.get(pageApiContext).getVideo(params.slug ?? "");
    return { slug, title };
  } catch (error) {
    throw routeFailure(error);
  }
}

export const handle = pageHandle<ReportedVideo>({
  query: ["sent", "error", "comment"],
  hasPopups: false,
  head: ({ site }) => ({
    title: siteTitle(messages.title, site),
    meta: [{ name: "robots", content: "noindex" }],
  }),
});

/** Reports a video. Works without scripts too. */
export function Component() {
  const { slug, title } = useLoaderData<ReportedVideo>();
  const sending = useFormSending(messages.failed);
  const params = useQueryParams();
  const comment = params.get("comment");
  return (
    <div className="max-w-xl">
      <PageHeading
        title={comment === null ? messages.title : messages.commentTitle}
        intro={messages.intro}
      />
      <p className="mb-6 font-medium break-words">
        <bdi>{title}</bdi>
      </p>
      {sending.isSent ? (
        <FormDone message={messages.sent} />
      ) : (
        <ReportForm slug={slug} id="report" sending={sending} comment={comment} />
      )}
      <div className="mt-6 flex flex-wrap gap-3">
        {sending.isSent ? null : (
          <Button kind="primary" type="submit" form="report" aria-disabled={sending.isBusy}>
            {sending.isBusy ? messages.sending : messages.send}
          </Button>
        )}
        <a href={pagePath(videoHref(slug))} className={buttonClass({ kind: "quiet" })}>
          {messages.back}
        </a>
      </div>
    </div>
  );
}
