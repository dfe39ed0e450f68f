import type { LucideIcon } from "lucide-react";
import type { ReactNode } from "react";
import { useSourcePath } from "#web/components/site/source-link.tsx";

/** Introduces an empty screen with its purpose, an example, a button and a link to the docs. */
export function EmptyIntro({
  Icon,
  title,
  text,
  example,
  docs,
  children,
}: {
  Icon: LucideIcon;
  title: string;
  text: string;
  example: string;
  /** Path of the page in the source code, such as `docs/webhooks.md`. */
  docs: string;
  /** The button. */
  children?: ReactNode;
}) {
  const sourcePath = useSourcePath();
  const subject = /([^/]+)\.md$/.exec(docs)?.[1] ?? docs;
  return (
    <div className="mx-auto mt-6 grid max-w-2xl justify-items-center gap-4 rounded-lg bg-ink-2 px-6 py-10 text-center wrap-anywhere">
      <span className="grid size-16 place-items-center rounded-full bg-lamp-soft text-lamp-text">
        <Icon aria-hidden="true" className="size-7" strokeWidth={1.5} />
      </span>
      <p className="text-lg font-semibold tracking-tight">{title}</p>
      <p className="max-w-md text-ink-11 text-balance">{text}</p>
      <p className="max-w-md rounded-md border border-dashed border-line px-4 py-3 text-start">
        <span className="text-ink-11">Example: </span>
        {example}
      </p>
      {children}
      <a href={sourcePath} className="text-ink-11 underline hover:text-ink-12">
        {`Documentation: ${subject}`}
      </a>
    </div>
  );
}
