import { descriptionParts, foldDescription } from "../description-parts.ts";
import { videoPageMessages as messages } from "../messages.ts";
import { pagePath } from "#web/lib/language/page-language.ts";

function LinkedText({ text }: { text: string }) {
  return descriptionParts(text).map((part, index) =>
    part.href === null ? (
      part.text
    ) : (
      <a
        // The parts of a text never change their order.
        // eslint-disable-next-line react/no-array-index-key
        key={index}
        href={pagePath(part.href)}
        target="_blank"
        rel="noopener noreferrer nofollow ugc"
        className="text-lamp-text underline"
      >
        {part.text}
      </a>
    ),
  );
}

/** Shows the description. Long ones are collapsed with `<details>`, which needs no scripts. */
export function VideoDescription({ description }: { description: string | null }) {
  const text = (description ?? "").replace(/\r\n/g, "\n").trim();
  if (text === "") return null;
  const { start, rest } = foldDescription(text);
  const style = "whitespace-pre-line break-words leading-6 text-pretty";
  return (
    <section aria-label={messages.description} className="max-w-3xl">
      {rest === "" ? (
        <p dir="auto" className={style}>
          <LinkedText text={start} />
        </p>
      ) : (
        <details className="fold group">
          <summary className="block list-none">
            <span dir="auto" className={`block ${style}`}>
              <LinkedText text={start} />
              <span className="group-open:hidden">…</span>
              <span className="hidden group-open:inline">
                <LinkedText text={rest} />
              </span>
            </span>
            <span className="mt-1 flex min-h-11 items-center text-sm font-semibold text-ink-11 hover:text-ink-12">
              <span className="group-open:hidden">{messages.more}</span>
              <span className="hidden group-open:inline">{messages.less}</span>
            </span>
          </summary>
        </details>
      )}
    </section>
  );
}
