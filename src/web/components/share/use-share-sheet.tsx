import { useState, type ReactNode } from "react";
import { useSite } from "#web/lib/page/site.ts";
import { shareOrigin } from "#web/lib/page/share-origin.ts";
import type { SharedVideo } from "./share-sheet.tsx";

/**
 * Creates the Share dialog. `open` returns the link. The dialog's script is loaded on first use.
 */
export function useShareSheet(): { open(video: SharedVideo): string; sheet: ReactNode } {
  const [sheet, setSheet] = useState<ReactNode>(null);
  const site = useSite();
  return {
    open(video) {
      const base = shareOrigin(site);
      // Even if this fails, the link is in the clipboard.
      import("./share-sheet.tsx").then(
        ({ ShareSheet }) =>
          setSheet(
            <ShareSheet
              video={video}
              base={base}
              siteEmbedding={site.settings.embedding}
              onClose={() => setSheet(null)}
            />,
          ),
        console.warn,
      );
      return base + video.path;
    },
    sheet,
  };
}
