import { useEffect, useRef } from "react";
import type { FeedVideo } from "#contract/lists/feed.ts";
import { useSite } from "#web/lib/page/site.ts";
import { pagePath } from "#web/lib/language/page-language.ts";

/**
 * Shows the URL of the current clip. Moving through the feed replaces the history entry. The first
 * clip keeps the URL that the visitor opened.
 */
export function useClipAddress(video: FeedVideo | null, isShown: boolean): void {
  const { name } = useSite();
  const isFirst = useRef(true);
  const slug = video?.slug ?? null;
  const title = video?.title ?? "";
  useEffect(() => {
    if (!isShown || slug === null) return;
    if (isFirst.current) {
      isFirst.current = false;
      return;
    }
    const url = pagePath(`/feed/${encodeURIComponent(slug)}`);
    if (window.location.pathname === url) return;
    window.history.replaceState(window.history.state, "", url);
    document.title = `${title} · ${name}`;
  }, [slug, title, name, isShown]);
}
