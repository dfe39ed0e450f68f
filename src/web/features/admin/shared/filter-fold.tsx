import { SlidersHorizontalIcon } from "lucide-react";
import { useId, useState, type ReactNode } from "react";
import { Button } from "#web/components/ui/button.tsx";
import { classNames } from "#web/components/ui/class-names.ts";

/** Filters of a list. On phones, they are behind a button beside the search field. */
export function FilterFold({
  activeCount,
  children,
}: {
  activeCount: number;
  children: ReactNode;
}) {
  const id = useId();
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button
        className="sm:hidden"
        aria-expanded={isOpen}
        aria-controls={id}
        onClick={() => setOpen(!isOpen)}
      >
        <SlidersHorizontalIcon aria-hidden="true" className="size-4" />
        {activeCount === 0 ? "Filters" : `Filters (${activeCount})`}
      </Button>
      <div
        id={id}
        className={classNames(
          "flex flex-wrap items-end gap-2 max-sm:w-full sm:contents",
          !isOpen && "max-sm:hidden",
        )}
      >
        {children}
      </div>
    </>
  );
}
