import { lazy, Suspense } from "react";
import { useSite } from "../../../lib/page/site.ts";

const LateDescription = lazy(() =>
  import("./late-description.tsx").then((module) => ({ default: module.LateDescription })),
);

/** The description of the site below the list. */
export function SiteDescription() {
  const { isComplete, settings } = useSite();
  if (isComplete) return <Description text={settings.siteDescription} />;
  return (
    <Suspense>
      <LateDescription />
    </Suspense>
  );
}

export function Description({ text }: { text: string | null }) {
  if (text === null || text === "") return null;
  return (
    <p dir="auto" className="mx-auto mt-14 max-w-2xl text-center text-ink-11 text-pretty">
      {text}
    </p>
  );
}
