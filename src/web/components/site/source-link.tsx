import { useSite } from "#web/lib/page/site.ts";
import { pagePath } from "#web/lib/language/page-language.ts";
import { siteMessages } from "./messages.ts";

export const useSourcePath = (): string => useSite().settings.sourceUrl ?? "/source";

/** Section 13 of the AGPL: every user of the site is offered its source code. */
export function SourceLink({ className }: { className: string }) {
  return (
    <a href={pagePath(useSourcePath())} className={className}>
      {siteMessages.source}
    </a>
  );
}
