import {
  BookmarkIcon,
  ClockIcon,
  FlagIcon,
  ForwardIcon,
  HeartIcon,
  ListPlusIcon,
} from "lucide-react";
import type { Video } from "#contract/videos/videos.ts";
import { Button, buttonClass } from "#web/components/ui/button.tsx";
import { useShareSheet } from "#web/components/share/use-share-sheet.tsx";
import { formatCount } from "#web/lib/format/format.ts";
import { videoHref } from "#web/lib/lists/card-video.ts";
import { reportHref, useReport } from "#web/features/report/use-report.tsx";
import type { useLike } from "../hooks/use-like.ts";
import { videoPageMessages as messages } from "../messages.ts";
import { pagePath } from "#web/lib/language/page-language.ts";
import { useEffect, useRef, useState } from "react";
import { toast } from "#web/components/ui/toast.tsx";
import { fetchFavorite, setFavorite } from "#web/lib/api/visitor-marks.ts";
import { copyText, shareByDevice } from "#web/lib/copy-text.ts";

/** Opens the device's share sheet if there is one, or copies the link. */
async function shareLink(title: string, url: string): Promise<void> {
  if (await shareByDevice(title, url)) return;
  if (await copyText(url)) toast.success(messages.linkCopied);
  else toast.error(messages.linkNotCopied);
}

/** Adds the video to this browser's history and returns whether it is saved for later. */
function useLater({ slug, title, thumbnail, isSensitive, duration }: Video) {
  const [isLater, setLater] = useState(false);
  useEffect(() => {
    let stop = () => {};
    let isGone = false;
    // The page works without the visitor library.
    import("#web/lib/visitor-library/library.ts").then(({ library }) => {
      if (isGone) return;
      const look = () => setLater(library.get().later.some((video) => video.slug === slug));
      stop = library.subscribe(look);
      library.noteWatched({ slug, title, thumbnail, isSensitive, durationS: duration });
    }, console.warn);
    return () => {
      isGone = true;
      stop();
    };
  }, [slug, title, thumbnail, isSensitive, duration]);
  return {
    isLater,
    toggle: () => {
      import("#web/components/save/toggle-later.ts").then(
        ({ toggleLater }) =>
          toggleLater({ slug, title, thumbnail, isSensitive, durationS: duration }),
        console.warn,
      );
    },
  };
}

/** Returns whether the video is among this visitor's favorites, and a function that changes it. */
function useFavorite(slug: string) {
  const [isSaved, setIsSaved] = useState(false);
  const [isBusy, setIsBusy] = useState(false);
  const wasTouched = useRef(false);

  useEffect(() => {
    const gone = new AbortController();
    fetchFavorite(slug, gone.signal).then(
      (isFavorite) => {
        if (!gone.signal.aborted && !wasTouched.current) setIsSaved(isFavorite);
      },
      (error: unknown) => {
        if (!gone.signal.aborted) console.warn("The favorite status is not known", error);
      },
    );
    return () => gone.abort();
  }, [slug]);

  const toggle = async () => {
    if (isBusy) return;
    // The initial status may still arrive and is then outdated.
    wasTouched.current = true;
    const before = isSaved;
    setIsBusy(true);
    setIsSaved(!before);
    try {
      const after = await setFavorite(slug, !before);
      setIsSaved(after);
      toast.success(after ? messages.savedToast : messages.unsavedToast);
    } catch (error) {
      console.warn("Saving failed", error);
      setIsSaved(before);
      toast.error(messages.saveFailed);
    } finally {
      setIsBusy(false);
    }
  };

  return { isSaved, isBusy, toggle };
}

function LikeButton({ like }: { like: ReturnType<typeof useLike> }) {
  const label = like.isBusy ? messages.liking : like.isLiked ? messages.liked : messages.like;
  return (
    <Button
      aria-pressed={like.isLiked}
      aria-disabled={like.isBusy}
      onClick={() => void like.toggle()}
      className="min-w-32 aria-disabled:opacity-100!"
    >
      <HeartIcon
        fill={like.isLiked ? "currentColor" : "none"}
        className={like.isLiked ? "size-5 text-danger-text" : "size-5"}
      />
      {label}
      <span className="tabular text-ink-11">{formatCount(like.count)}</span>
    </Button>
  );
}

/**
 * Actions of a video. Like and Share come first, because phones only show the others after
 * scrolling.
 */
export function VideoActions({ video, like }: { video: Video; like: ReturnType<typeof useLike> }) {
  const { slug, title } = video;
  const favorite = useFavorite(slug);
  const later = useLater(video);
  const share = useShareSheet();
  const report = useReport({ slug, title });
  return (
    <div
      role="group"
      aria-label={messages.actions}
      // One scrolling row on phones, like the choices on the home page.
      className="-mx-4 -my-1 no-scrollbar flex gap-2 overflow-x-auto px-4 py-1 *:shrink-0 max-lg:*:px-3.5! sm:mx-0 sm:flex-wrap sm:overflow-visible sm:px-0"
    >
      <LikeButton like={like} />
      <Button
        onClick={() => {
          const media = document.querySelector<HTMLVideoElement>(".video-page-player video");
          const positionS = media?.currentTime ?? null;
          void shareLink(title, share.open({ ...video, path: videoHref(slug), positionS }));
        }}
      >
        <ForwardIcon className="size-5 rtl:-scale-x-100" />
        {messages.share}
      </Button>
      <Button
        aria-pressed={favorite.isSaved}
        aria-disabled={favorite.isBusy}
        onClick={() => void favorite.toggle()}
        className="aria-disabled:opacity-100!"
      >
        <BookmarkIcon
          fill={favorite.isSaved ? "currentColor" : "none"}
          className={favorite.isSaved ? "size-5 text-lamp-text" : "size-5"}
        />
        {favorite.isSaved ? messages.saved : messages.save}
      </Button>
      <Button aria-pressed={later.isLater} onClick={later.toggle}>
        <ClockIcon className={later.isLater ? "size-5 text-lamp-text" : "size-5"} />
        {messages.later}
      </Button>
      <Button data-save={slug} aria-haspopup="menu">
        <ListPlusIcon className="size-5 rtl:-scale-x-100" />
        {messages.playlist}
      </Button>
      <a
        href={pagePath(reportHref(slug))}
        rel="nofollow"
        className={buttonClass({})}
        onClick={(event) => {
          event.preventDefault();
          report.open();
        }}
      >
        <FlagIcon className="size-5" />
        {messages.report}
      </a>
      {report.dialog}
      {share.sheet}
    </div>
  );
}
