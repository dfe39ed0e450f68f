import type { Comment } from "#contract/visitors/comments.ts";
import { Age } from "#web/components/video/age.tsx";
import { reportHref } from "#web/features/report/use-report.tsx";
import { inLanguage, pagePath } from "#web/lib/language/page-language.ts";

const messages = inLanguage("comments");

interface CommentListProps {
  slug: string;
  /** Comments that the visitor has just sent. The cached list may already contain them. */
  own: readonly Comment[];
  listed: readonly Comment[];
  /** Comment that gets the focus if the button that loaded it has disappeared. */
  added?: string | undefined;
}

const takeLostFocus = (element: HTMLElement | null): void => {
  if (document.activeElement === document.body) element?.focus({ preventScroll: true });
};

/** Lists comments as plain text, newest first. */
export function CommentList({ slug, own, listed, added }: CommentListProps) {
  const listedIds = new Set(listed.map(({ id }) => id));
  const comments = [...own.filter(({ id }) => !listedIds.has(id)), ...listed];
  if (comments.length === 0) return <p className="text-sm text-ink-11">{messages.empty}</p>;
  return (
    <ul className="divide-y divide-line">
      {comments.map(({ id, name, text, createdAt }) => (
        <li
          key={id}
          ref={id === added ? takeLostFocus : undefined}
          tabIndex={id === added ? -1 : undefined}
          className="py-4"
        >
          <p className="flex flex-wrap items-center gap-x-3 text-sm text-ink-11">
            <bdi className="max-w-full font-medium break-words text-ink-12">
              {name ?? messages.noName}
            </bdi>
            <Age since={createdAt} />
            <a
              href={pagePath(`${reportHref(slug)}?comment=${id}`)}
              aria-label={messages.reportOf(name ?? messages.noName)}
              className="ms-auto inline-flex min-h-11 items-center hover:underline"
            >
              {messages.report}
            </a>
          </p>
          <p dir="auto" className="break-words whitespace-pre-wrap">
            {text}
          </p>
        </li>
      ))}
    </ul>
  );
}
