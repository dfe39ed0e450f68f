import { BookmarkIcon, ForwardIcon, HeartIcon } from "lucide-react";
import type { Video } from "#contract/videos/videos.ts";
import { Button, buttonClass } from "#web/components/ui/button.tsx";
import { useShareSheet } from "#web/components/share/use-share-sheet.tsx";
import { formatCount } from "#web/lib/format/format.ts";
import { videoHref } from "#web/lib/lists/card-video.ts";
import { reportHref, useReport } from "#web/features/report/use-report.tsx";
import type { useLike } from "../hooks/use-like.ts";
import { inLanguage, pagePath } from "#web/lib/language/page-language.ts";
import { useEffect, useRef, useState } from "react";
import { toast } from "#web/components/ui/toast.tsx";
import { copyText, shareByDevice } from "#web/lib/copy-text.ts";
import { fetchFavorite, setFavorite } from "#web/lib/api/visitor-marks.ts";

const messages = inLanguage("video");

/**
 * Shares with the device's share sheet if there is one. Otherwise, copies the link and says so. The
 * dialog then offers more ways, except on devices for touch, whose own sheet has enough.
 */
async function shareVideo(title: string, url: string, openSheet: () => void): Promise<void> {
  const isShared = await shareByDevice(title, url);
  if (!isShared) {
    if (await copyText(url)) toast.success(messages.linkCopied);
    else toast.error(messages.linkNotCopied);
  }
  if (!isShared || matchMedia("(hover: hover)").matches) openSheet();
}

/** Adds the video to this browser's history. */
function useHistory({ slug, title, thumbnail, isSensitive, duration }: Video): void {
  useEffect(() => {
    let isGone = false;
    // The page works without the visitor library.
    import("#web/lib/visitor-library/library.ts").then(({ library }) => {
      if (!isGone)
        library.noteWatched({ slug, title, thumbnail, isSensitive, durationS: duration });
    }, console.warn);
    return () => {
      isGone = true;
    };
  }, [slug, title, thumbnail, isSensitive, duration]);
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
  const label = like.isBusy ? messages.liking : like.liked ? messages.liked : messages.like;
  return (
    <Button
      aria-pressed={like.liked}
      aria-disabled={like.isBusy}
      onClick={() => void like.toggle()}
    >
      <HeartIcon
        fill={like.liked ? "currentColor" : "none"}
        className={like.liked ? "size-5 text-danger-text" : "size-5"}
      />
      {label}
      <span className="tabular text-ink-11">{formatCount(like.likesCount)}</span>
    </Button>
  );
}

/** Like, Share and Save, and a menu with the other actions. */
export function VideoActions({ video, like }: { video: Video; like: ReturnType<typeof useLike> }) {
  const { slug } = video;
  const favorite = useFavorite(slug);
  const share = useShareSheet();
  const report = useReport(video);
  const more = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    const button = more.current;
    button?.addEventListener("report", report.open);
    return () => button?.removeEventListener("report", report.open);
  });
  useHistory(video);
  return (
    <div
      role="group"
      aria-label={messages.actions}
      className="video-actions flex flex-wrap gap-1.5 sm:gap-2"
    >
      <LikeButton like={like} />
      <Button
        onClick={() => {
          const media = document.querySelector<HTMLVideoElement>(".video-page-player video");
          const positionS = media?.currentTime ?? null;
          const shared = { ...video, path: videoHref(slug), positionS };
          void shareVideo(video.title, share.urlOf(shared.path), () => share.open(shared));
        }}
      >
        <ForwardIcon className="size-5 rtl:-scale-x-100" />
        {messages.share}
      </Button>
      {/* The menu is never alone in a second row. */}
      <span className="flex gap-1.5 sm:gap-2">
        <Button
          aria-pressed={favorite.isSaved}
          aria-disabled={favorite.isBusy}
          onClick={() => void favorite.toggle()}
        >
          <BookmarkIcon
            fill={favorite.isSaved ? "currentColor" : "none"}
            className={favorite.isSaved ? "size-5 text-lamp-text" : "size-5"}
          />
          {favorite.isSaved ? messages.saved : messages.save}
        </Button>
        <Button
          ref={more}
          data-save={slug}
          data-reports=""
          aria-label={messages.moreActions}
          aria-haspopup="menu"
        >
          ⋮
        </Button>
      </span>
      <noscript>
        <a href={pagePath(reportHref(slug))} rel="nofollow" className={buttonClass({})}>
          {messages.report}
        </a>
      </noscript>
      {report.dialog}
      {share.sheet}
    </div>
  );
}
