import type { CSSProperties } from "react";
import type { Video } from "#contract/videos/videos.ts";
import { buttonClass } from "#web/components/ui/button.tsx";
import { inLanguage, pagePath } from "#web/lib/language/page-language.ts";
import { videoHref } from "#web/lib/lists/card-video.ts";
import { useSite } from "#web/lib/page/site.ts";
import "./locked.css";

const messages = inLanguage("members");

/** Says why a video is locked and how to become a member. */
export function LockedPanel({ slug, tabIndex }: { slug: string; tabIndex?: number }) {
  const { membersText, membersUrl } = useSite().settings;
  return (
    <div className="locked-panel">
      <p className="text-lg font-semibold">{messages.title}</p>
      <p className="max-w-prose whitespace-pre-line">{membersText ?? messages.text}</p>
      <p className="flex flex-wrap justify-center gap-3">
        {membersUrl == null ? null : (
          <a
            href={pagePath(membersUrl)}
            tabIndex={tabIndex}
            className={buttonClass({ kind: "primary" })}
          >
            {messages.become}
          </a>
        )}
        <a
          href={pagePath(`/pass?next=${encodeURIComponent(pagePath(videoHref(slug)))}`)}
          tabIndex={tabIndex}
          className={buttonClass({ kind: "quiet" })}
        >
          {messages.have}
        </a>
      </p>
    </div>
  );
}

/** Takes the place of the player for visitors without a pass. */
export function LockedVideo({ video }: { video: Video }) {
  const { width, height, posterUrl, thumbnailUrl, previewUrl, title } = video;
  const ratio = width !== null && height !== null ? width / height : 16 / 9;
  return (
    <div
      role="region"
      aria-label={title}
      className="player locked"
      style={{ "--ratio": ratio.toFixed(4) } as CSSProperties}
    >
      <video
        className="player-media"
        poster={posterUrl ?? thumbnailUrl ?? undefined}
        autoPlay
        muted
        loop
        playsInline
        aria-hidden="true"
      >
        {previewUrl === null ? null : (
          <source
            src={previewUrl}
            type="video/mp4"
            media="(prefers-reduced-motion: no-preference)"
          />
        )}
      </video>
      <LockedPanel slug={video.slug} />
    </div>
  );
}
