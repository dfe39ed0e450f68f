import { useSession } from "../../../lib/session.ts";
import { homeMessages as messages } from "../messages.ts";
import { pagePath } from "../../../lib/language/page-language.ts";

/** How to fill a new site, for users who are signed in. Visitors read that there are no videos. */
export function NewSiteHint() {
  if (useSession().user === null) return null;
  return (
    <p>
      {messages.freshTitle}{" "}
      <a href="/admin/videos" className="text-lamp-text underline">
        {messages.freshUpload}
      </a>{" "}
      {messages.freshText} <code className="rounded-sm bg-ink-3 px-1.5 py-0.5">npm run demo</code>{" "}
      {messages.freshEnd}
    </p>
  );
}

export function NoMatchHint() {
  return (
    <p>
      {messages.noMatch}{" "}
      <a href={pagePath("/home")} className="text-lamp-text underline">
        {messages.noMatchLink}
      </a>
      .
    </p>
  );
}
