import { useSession } from "#web/lib/session.ts";
import { homeMessages as messages } from "../messages.ts";
import { withParts } from "#web/lib/language/with-parts.tsx";
import { pagePath } from "#web/lib/language/page-language.ts";

const demoCommand = "npm run demo";

/**
 * Hints for signed-in users on how to fill a new site. Visitors only see that there are no videos.
 */
export function NewSiteHint() {
  if (useSession().user === null) return null;
  return (
    <p>
      {withParts(messages.fresh, {
        upload: (
          <a href="/admin/videos" className="text-lamp-text underline">
            {messages.freshUpload}
          </a>
        ),
        command: <code className="rounded-sm bg-ink-3 px-1.5 py-0.5">{demoCommand}</code>,
      })}
    </p>
  );
}

export function NoMatchHint() {
  return (
    <p>
      {withParts(messages.noMatch, {
        all: (
          <a href={pagePath("/home")} className="text-lamp-text underline">
            {messages.noMatchLink}
          </a>
        ),
      })}
    </p>
  );
}
