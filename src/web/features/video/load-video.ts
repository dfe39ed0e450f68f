import { redirect, type LoaderFunctionArgs } from "react-router";
import type { Video } from "#contract/videos/videos.ts";
import { toCardVideo, type CardVideo } from "#web/lib/lists/card-video.ts";
import { limits } from "#contract/limits.ts";
import type { RenderedTranscript } from "#web/features/transcript/render-transcript.tsx";
import { pageLanguage, plainPath } from "#web/lib/language/page-language.ts";
import {
  pageApiContext,
  routeFailure,
  serverApiContext,
  statusOf,
} from "#web/lib/page/page-route.ts";

export interface WatchableVideo {
  video: Video;
}

/** Loads a video. Throws a response that sets the status and that the error boundary shows. */
export async function loadWatchable({
  params,
  request,
  context,
}: LoaderFunctionArgs): Promise<WatchableVideo> {
  const api = context.get(pageApiContext);
  try {
    const slug = params.slug ?? "";
    const video = await api.getVideo(slug);
    // This is an old URL of the video.
    if (video.slug !== slug.toLowerCase() && video.id !== slug) {
      const { pathname, search } = new URL(request.url);
      if (!import.meta.env.SSR) {
        await import("./components/playlist-bar.tsx").then(
          ({ renameInLists }) => renameInLists(slug, video.slug),
          console.warn,
        );
      }
      // The router adds the language again.
      const path = (plainPath(pathname) ?? pathname).replace(
        /[^/]+\/?$/,
        encodeURIComponent(video.slug),
      );
      throw redirect(path + search, 301);
    }
    return { video };
  } catch (error) {
    if (!import.meta.env.SSR && statusOf(error) === 451 && !request.signal.aborted) {
      // A playlist continues after the video.
      if (/[?&]list=/.test(request.url)) throw routeFailure({ status: 404 });
      // The server explains the block.
      // oxlint-disable-next-line kinora/page-path -- The address contains the language.
      window.location.assign(request.url);
      return new Promise(() => {});
    }
    throw error instanceof Response ? error : routeFailure(error);
  }
}

/** Value of a loader that the data for hydration leaves out, because the page contains its HTML. */
export interface ServerOnly<Value> {
  value: Value;
  toJSON(): undefined;
}

/** Renders the start of the transcript on the server. The browser loads it when it is in view. */
export async function loadTranscript(
  { context }: LoaderFunctionArgs,
  video: Video,
): Promise<ServerOnly<RenderedTranscript | null> | undefined> {
  if (!import.meta.env.SSR) return;
  const server = context.get(serverApiContext);
  if (server === null || video.captions === undefined) return;
  try {
    const start = await server.transcriptStart(video, pageLanguage().code);
    if (start === null) return;
    const { renderTranscript } = await import("../transcript/render-transcript.tsx");
    return { value: renderTranscript(video, start), toJSON: () => undefined };
  } catch (error) {
    // The captions were replaced in the meantime, or the storage is down. The page works without.
    console.warn("Couldn't render a transcript", error);
    return;
  }
}

/** Returns related videos, or none after a failure. */
export async function loadRelated({ params, context }: LoaderFunctionArgs): Promise<CardVideo[]> {
  try {
    const videos = await context.get(pageApiContext).listRelated(params.slug ?? "");
    return videos.slice(0, limits.relatedCount).map(toCardVideo);
  } catch (error) {
    // Browsers report failed requests themselves.
    if (import.meta.env.SSR) {
      // The page itself reports unknown videos and videos that are blocked in this country.
      const status = statusOf(error);
      if (status !== 404 && status !== 451) console.warn("Related videos failed", error);
    }
    return [];
  }
}
