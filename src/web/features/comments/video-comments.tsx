import { useState, type ComponentType } from "react";
import { buttonClass } from "#web/components/ui/button.tsx";
import { useSite } from "#web/lib/page/site.ts";
import { pagePath } from "#web/lib/language/page-language.ts";
import { takeFocus } from "#web/lib/take-focus.ts";

/**
 * Comments of a video if the site allows them. The script is loaded on first use. Without scripts,
 * a link opens a separate page.
 */
export function VideoComments({ slug, title }: { slug: string; title: string }) {
  const [Section, setSection] = useState<ComponentType<{ slug: string }> | null>(null);
  if (useSite().settings.comments === "off") return null;
  const href = `/comments/${encodeURIComponent(slug)}`;
  return (
    <section aria-label={title} className="border-t border-line pt-6">
      {Section === null ? (
        <a
          href={pagePath(href)}
          className={buttonClass({ kind: "quiet" })}
          onClick={(event) => {
            event.preventDefault();
            import("./comments-section.tsx").then(
              ({ CommentsSection }) => setSection(() => CommentsSection),
              () => window.location.assign(pagePath(href)),
            );
          }}
        >
          {title}
        </a>
      ) : (
        <>
          <h2 ref={takeFocus} tabIndex={-1} className="mb-4 text-base font-semibold">
            {title}
          </h2>
          <Section slug={slug} />
        </>
      )}
    </section>
  );
}
