import { XIcon } from "lucide-react";
import type { ComponentProps } from "react";
import { classNames } from "./class-names.ts";
import { pagePath } from "#web/lib/language/page-language.ts";

/** Returns the classes of a chip. The active chip is amber. */
export function chipClass(isActive = false): string {
  return classNames(
    "inline-flex h-11 shrink-0 items-center gap-2 rounded-full px-4 text-sm font-medium whitespace-nowrap transition-colors duration-fast",
    isActive
      ? "bg-lamp text-lamp-ink hover:bg-lamp-strong"
      : "bg-ink-3 text-ink-12 hover:bg-ink-4 active:bg-ink-5",
  );
}

/** Chip that is a toggle button. */
export function ChipButton({
  isActive = false,
  className,
  type,
  ...rest
}: ComponentProps<"button"> & { isActive?: boolean }) {
  return (
    <button
      type={type ?? "button"}
      aria-pressed={isActive}
      className={classNames(chipClass(isActive), className)}
      {...rest}
    />
  );
}

/** Chip that is a link. */
export function ChipLink({
  isActive = false,
  className,
  children,
  href,
  ...rest
}: ComponentProps<"a"> & { href: string; isActive?: boolean }) {
  return (
    <a
      href={pagePath(href)}
      aria-current={isActive ? "true" : undefined}
      className={classNames(chipClass(isActive), className)}
      {...rest}
    >
      {children}
    </a>
  );
}

/** Chip for a selected value, with a button that removes it. */
export function RemovableChip({
  children,
  removeLabel,
  onRemove,
}: {
  children: string;
  removeLabel: string;
  onRemove: () => void;
}) {
  return (
    <span className="inline-flex h-11 max-w-full items-center rounded-full bg-lamp-soft ps-4 text-sm font-medium text-lamp-text">
      <bdi className="truncate">{children}</bdi>
      <button
        type="button"
        aria-label={removeLabel}
        onClick={onRemove}
        className="flex size-11 shrink-0 items-center justify-center rounded-full hover:bg-ink-4"
      >
        <XIcon className="size-4" />
      </button>
    </span>
  );
}
