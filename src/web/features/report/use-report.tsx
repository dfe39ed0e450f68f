import { useState, type ReactNode } from "react";
import { pagePath } from "#web/lib/language/page-language.ts";
import type { ReportDialog } from "./report-dialog.tsx";

/** Returns the path of the page that does the same without scripts. */
export const reportHref = (slug: string) => `/report/${encodeURIComponent(slug)}`;

/** Returns the dialog that reports a video. Its script is loaded on first use. */
export function useReport(video: { slug: string; title: string }): {
  open: () => void;
  dialog: ReactNode;
} {
  const [shown, setShown] = useState<{ Dialog: typeof ReportDialog } | null>(null);
  return {
    open: () => {
      import("./report-dialog.tsx").then(
        (module) => setShown({ Dialog: module.ReportDialog }),
        () => window.location.assign(pagePath(reportHref(video.slug))),
      );
    },
    dialog:
      shown === null ? null : (
        <shown.Dialog slug={video.slug} title={video.title} onClose={() => setShown(null)} />
      ),
  };
}
