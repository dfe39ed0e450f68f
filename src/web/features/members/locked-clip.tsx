import type { FeedVideo } from "#contract/lists/feed.ts";
import { buttonClass } from "#web/components/ui/button.tsx";
import { inLanguage, pagePath } from "#web/lib/language/page-language.ts";
import { videoHref } from "#web/lib/lists/card-video.ts";
import { LockedPanel } from "./locked-video.tsx";
import { hasPass } from "./has-pass.ts";

const messages = inLanguage("members");

/** Covers a locked clip of the feed. The page of the video unlocks it for members. */
export function LockedClip({ video }: { video: FeedVideo }) {
  return hasPass() ? (
    <div className="locked-panel">
      <p className="text-lg font-semibold">{messages.title}</p>
      <a href={pagePath(videoHref(video.slug))} className={buttonClass({ kind: "primary" })}>
        {messages.watch}
      </a>
    </div>
  ) : (
    <LockedPanel slug={video.slug} />
  );
}
