import { ArrowUpRightIcon } from "lucide-react";
import type { Video } from "#contract/videos/videos.ts";
import { inLanguage, pagePath } from "#web/lib/language/page-language.ts";
import { videoHref } from "#web/lib/lists/card-video.ts";
import "./whole-video.css";

const messages = inLanguage("clips");

/** Link from a clip to its passage in the long video. */
export function WholeVideo({
  video,
  className,
  tabIndex,
}: {
  video: Pick<Video, "clipOf">;
  className: string;
  tabIndex?: number;
}) {
  const { clipOf } = video;
  if (clipOf === undefined) return null;
  return (
    <a
      href={pagePath(`${videoHref(clipOf.slug)}?t=${Math.floor(clipOf.startS)}`)}
      className={`whole-video ${className}`}
      tabIndex={tabIndex}
    >
      {messages.whole}
      <ArrowUpRightIcon aria-hidden="true" className="size-4 rtl:-scale-x-100" />
    </a>
  );
}
