import { useSite } from "../../lib/page/site.ts";

/** Section 13 of the AGPL: every user of the site is offered its source code. */
export function SourceLink({ className }: { className: string }) {
  return (
    <a href={useSite().settings.sourceUrl ?? "/source"} className={className}>
      Source
    </a>
  );
}
