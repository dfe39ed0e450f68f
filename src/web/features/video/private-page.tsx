import { useLoaderData, useRouteError, type LoaderFunctionArgs } from "react-router";
import type { Video } from "#contract/videos/videos.ts";
import { pageHandle, pageApiContext, routeFailure, statusOf } from "#web/lib/page/page-route.ts";
import { siteTitle } from "#web/lib/page/share-meta.ts";
import { Player } from "#web/features/player/components/player.tsx";
import { inLanguage } from "#web/lib/language/page-language.ts";

const messages = inLanguage("video");

export async function loader({ params, context }: LoaderFunctionArgs): Promise<{ video: Video }> {
  try {
    return { video: await context.get(pageApiContext).getPrivateVideo(params.secret ?? "") };
  } catch (error) {
    throw routeFailure(error);
  }
}

export const handle = pageHandle<{ video: Video }>({
  query: [],
  unknownTitle: () => messages.notFound,
  head: ({ data, site }) => ({
    title: siteTitle(data.video.title, site),
    meta: [{ name: "robots", content: "noindex" }],
  }),
});

/** Page of a private link, with the player, the title and the description. */
export function Component() {
  const { video } = useLoaderData<{ video: Video }>();
  return (
    <div className="mx-auto grid w-full max-w-5xl gap-4 pt-4 pb-10">
      <Player video={video} ads={null} autoPlay={false} />
      <h1 className="text-xl font-semibold break-words">{video.title}</h1>
      {video.description === null ? null : (
        <p className="break-words whitespace-pre-line text-ink-11">{video.description}</p>
      )}
    </div>
  );
}

export function ErrorBoundary() {
  const isUnknown = statusOf(useRouteError()) === 404;
  return (
    <section className="mx-auto flex min-h-[60vh] max-w-lg flex-col items-center justify-center gap-4 text-center">
      <h1 className="text-xl font-semibold tracking-tight">
        {isUnknown ? messages.notFound : messages.loadFailed}
      </h1>
      <p className="text-ink-11">{isUnknown ? messages.notFoundText : messages.loadFailedText}</p>
    </section>
  );
}
