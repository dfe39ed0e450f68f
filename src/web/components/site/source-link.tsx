import { useSite } from "#web/lib/page/site.ts";
import { inLanguage, pagePath } from "#web/lib/language/page-language.ts";

const siteMessages = inLanguage("site");

export const useSourcePath = (): string => useSite().settings.sourceUrl ?? "/source";

/** Link to the site's source code, which section 13 of the AGPL requires for all users. */
export function SourceLink({ className }: { className: string }) {
  return (
    <a href={pagePath(useSourcePath())} className={className}>
      {siteMessages.source}
    </a>
  );
}
