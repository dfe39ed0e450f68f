import { ChevronDownIcon } from "lucide-react";
import { useState, type ReactNode } from "react";

/** Heading that expands rarely needed fields. They never collapse by themselves. */
export function Disclosure({
  title,
  isOpen = false,
  children,
}: {
  title: string;
  isOpen?: boolean;
  children: ReactNode;
}) {
  const [isOpened, setOpened] = useState(isOpen);
  if (isOpen && !isOpened) setOpened(true);
  return (
    <details open={isOpened || undefined} className="group rounded-md border border-line px-4 py-1">
      <summary className="flex min-h-11 items-center justify-between gap-3 font-medium">
        {title}
        <ChevronDownIcon
          aria-hidden="true"
          className="size-4 transition-transform group-open:rotate-180"
        />
      </summary>
      <div className="pt-1 pb-4">{children}</div>
    </details>
  );
}
