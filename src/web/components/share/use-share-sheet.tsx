import { useState, type ReactNode } from "react";
import { useSite } from "#web/lib/page/site.ts";
import { shareOrigin } from "#web/lib/page/share-origin.ts";

interface SharedVideo {
  slug: string;
  title: string;
  /** Path of the page to share. */
  path: string;
  positionS: number | null;
}

/**
 * Creates the Share dialog. `open` returns the link. The dialog's script is loaded on first use.
 */
export function useShareSheet(): { open(video: SharedVideo): string; sheet: ReactNode } {
  const [sheet, setSheet] = useState<ReactNode>(null);
  const site = useSite();
  return {
    open({ slug, title, path, positionS }) {
      const base = shareOrigin(site);
      // Even if this fails, the link is in the clipboard.
      import("./share-sheet.tsx").then(
        ({ ShareSheet }) =>
          setSheet(
            <ShareSheet
              title={title}
              url={base + path}
              embedUrl={`${base}/embed/${encodeURIComponent(slug)}`}
              positionS={positionS}
              onClose={() => setSheet(null)}
            />,
          ),
        console.warn,
      );
      return base + path;
    },
    sheet,
  };
}
