import { useEffect, useState, type ComponentType } from "react";
import { Skeleton } from "#web/components/ui/states.tsx";
import { browserApi } from "#web/lib/api/page-api.ts";
import { inLanguage } from "#web/lib/language/page-language.ts";

const messages = inLanguage("home");

/** Description for pages that were rendered without settings. Requests the settings again. */
export function LateDescription({
  Description,
}: {
  Description: ComponentType<{ text: string | null }>;
}) {
  const [text, setText] = useState<string | null>();
  useEffect(() => {
    browserApi
      .publicSettings()
      .then((settings) => setText(settings.siteDescription))
      .catch((error: unknown) => {
        console.warn("Public settings failed", error);
        setText(null);
      });
  }, []);
  if (text !== undefined) return <Description text={text} />;
  return (
    <div role="status" aria-label={messages.loadingDescription} className="mx-auto mt-14 max-w-2xl">
      <Skeleton className="mx-auto h-4 w-full" />
      <Skeleton className="mx-auto mt-2 h-4 w-2/3" />
    </div>
  );
}
