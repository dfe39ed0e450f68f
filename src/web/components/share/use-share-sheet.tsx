import { useState, type ReactNode } from "react";
import { useSite } from "#web/lib/page/site.ts";
import type { SharedVideo } from "./share-sheet.tsx";

const isLoopback = (hostname: string) =>
  hostname === "localhost" || hostname === "[::1]" || hostname.startsWith("127.");

/**
 * Returns the origin of links that visitors share. A site without a URL in Settings or `SITE_URL`
 * only knows localhost, so this returns the origin in the visitor's address bar. Only the browser
 * knows it, because pages are cached for everyone and `Host` headers can be forged.
 */
export function shareOrigin(site: { url: string }): string {
  const own = URL.parse(site.url);
  return own === null || isLoopback(own.hostname) ? window.location.origin : own.origin;
}

/** Creates the dialog with more ways to share. Its script is loaded on first use. */
export function useShareSheet(): {
  urlOf(path: string): string;
  open(video: SharedVideo): void;
  sheet: ReactNode;
} {
  const [sheet, setSheet] = useState<ReactNode>(null);
  const site = useSite();
  return {
    urlOf: (path) => shareOrigin(site) + path,
    open(video) {
      // Even if this fails, the link is in the clipboard.
      import("./share-sheet.tsx").then(
        ({ ShareSheet }) =>
          setSheet(
            <ShareSheet
              video={video}
              base={shareOrigin(site)}
              siteEmbedding={site.settings.embedding}
              onClose={() => setSheet(null)}
            />,
          ),
        console.warn,
      );
    },
    sheet,
  };
}
