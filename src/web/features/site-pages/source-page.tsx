import { PageHeading } from "#web/components/ui/page-heading.tsx";
import { pageHandle } from "#web/lib/page/page-route.ts";
import { inLanguage } from "#web/lib/language/page-language.ts";
import { version } from "../../../../package.json";
import { sitePageHead } from "./site-page.tsx";
import "#web/components/site/site-page.css";

const siteMessages = inLanguage("site");
const messages = inLanguage("source");

/** Page that offers the source code, as section 13 of the AGPL requires. */
export function Component() {
  return (
    <>
      <PageHeading title={siteMessages.source} />
      <div className="site-page">
        <p>{messages.intro(version)}</p>
        <p>
          {/* A new document shows the server's message if there is no archive. */}
          <a href="/source.tar.gz" target="_top">
            {messages.download}
          </a>
        </p>
        <p>{messages.contents}</p>
      </div>
    </>
  );
}

export const handle = pageHandle({
  query: [],
  hasPopups: false,
  head: ({ site }) => sitePageHead("source", siteMessages.source, site),
});
