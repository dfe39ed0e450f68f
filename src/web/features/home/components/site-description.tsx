import { useEffect, useState } from "react";
import { Skeleton } from "../../../components/ui/skeleton.tsx";
import { browserApi } from "../../../lib/api/lazy-api.ts";
import { useSite } from "../../../lib/page/site.ts";
import { homeMessages as messages } from "../messages.ts";

/** The description of the site below the list. */
export function SiteDescription() {
  const site = useSite();
  const [late, setLate] = useState<string | null | undefined>(undefined);
  const isMissing = !site.isComplete;

  // The server could not read the settings: request them again. A failure is only logged.
  useEffect(() => {
    if (!isMissing) return;
    browserApi
      .publicSettings()
      .then((settings) => setLate(settings.siteDescription))
      .catch((error: unknown) => {
        console.warn("Public settings failed", error);
        setLate(null);
      });
  }, [isMissing]);

  const description = isMissing ? late : site.settings.siteDescription;
  if (description === undefined) return <DescriptionPlaceholder />;
  if (description === null || description === "") return null;
  return (
    <p className="mx-auto mt-14 max-w-2xl text-center text-ink-11 text-pretty">{description}</p>
  );
}

function DescriptionPlaceholder() {
  return (
    <div role="status" aria-label={messages.loadingDescription} className="mx-auto mt-14 max-w-2xl">
      <Skeleton className="mx-auto h-4 w-full" />
      <Skeleton className="mx-auto mt-2 h-4 w-2/3" />
    </div>
  );
}
