import { useCallback, useEffect, useState } from "react";
import type { SharedReport } from "../../contract/campaigns.ts";
import { ErrorState, Skeleton } from "#web/components/ui/states.tsx";
import { adminHandle } from "#web/features/admin/shared/admin-page.tsx";
import "#web/features/admin/shared/admin.css";
import { readSharedReport } from "./calls.ts";
import { campaignMessages as messages } from "./messages.ts";
import { ReportChart, ReportTable, ReportTotals } from "./report-view.tsx";
import { ApiError } from "#web/lib/api/http.ts";

/** Returns whether a secret link has stopped working. Other failures may be temporary. */
const isGone = (error: unknown): boolean =>
  error instanceof ApiError && (error.status === 400 || error.status === 404);

export const handle = adminHandle("Your campaign stats");

/** Report of one advertiser for visitors with the secret link. The key is in its URL fragment. */
export function Component() {
  const [shown, setShown] = useState<SharedReport | "loading" | "gone" | "failed">("loading");
  const load = useCallback(async () => {
    setShown("loading");
    try {
      setShown(await readSharedReport(window.location.hash.slice(1)));
    } catch (error) {
      console.warn("Couldn't load the report", error);
      setShown(isGone(error) ? "gone" : "failed");
    }
  }, []);
  useEffect(() => void load(), [load]);

  return (
    <main data-admin id="content" className="mx-auto grid max-w-5xl gap-6 p-4 text-sm md:p-8">
      <h1 className="text-lg font-semibold tracking-tight break-words">
        {typeof shown === "string" ? "Your campaign stats" : shown.advertiser}
      </h1>
      {shown === "loading" ? (
        <Skeleton className="h-96 w-full" />
      ) : shown === "gone" ? (
        <p role="alert">This link has stopped working. Ask the site's operator for a new one.</p>
      ) : shown === "failed" ? (
        <ErrorState
          message={messages.reportFailed}
          retryLabel="Try Again"
          onRetry={() => void load()}
        />
      ) : (
        <>
          <ReportTotals report={shown.days} />
          <ReportChart days={shown.days} />
          <ReportTable report={shown.campaigns} heading="Campaign" unnamed="" />
        </>
      )}
    </main>
  );
}
