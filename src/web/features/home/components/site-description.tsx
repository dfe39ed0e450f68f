import { useSite } from "#web/lib/page/site.ts";
import { useLazyComponent } from "#web/lib/use-lazy-component.ts";

const loadLateDescription = () =>
  import("./late-description.tsx").then((module) => module.LateDescription);

/** Shows the description of the site below the list. */
export function SiteDescription() {
  const { isComplete, settings } = useSite();
  const { Lazy: LateDescription } = useLazyComponent(loadLateDescription, !isComplete);
  if (isComplete) return <Description text={settings.siteDescription} />;
  return LateDescription === null ? null : <LateDescription />;
}

export function Description({ text }: { text: string | null }) {
  if (text === null || text === "") return null;
  return (
    <p dir="auto" className="mx-auto mt-14 max-w-2xl text-center text-ink-11 text-pretty">
      {text}
    </p>
  );
}
