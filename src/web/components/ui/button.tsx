import type { ComponentProps } from "react";
import { classNames } from "./class-names.ts";

/**
 * `primary` is the main action, `quiet` other actions, `ghost` for bars, and `danger` for deleting.
 */
type ButtonKind = "primary" | "quiet" | "ghost" | "danger";
type ButtonSize = "small" | "medium";

const kinds: Record<ButtonKind, string> = {
  primary: "bg-lamp text-lamp-ink hover:bg-lamp-strong active:bg-lamp-strong",
  quiet: "bg-ink-3 text-ink-12 hover:bg-ink-4 active:bg-ink-5",
  ghost: "text-ink-11 hover:bg-ink-3 hover:text-ink-12 active:bg-ink-4",
  danger: "bg-danger text-white hover:bg-danger-strong active:bg-danger-strong",
};

/** On phones, the space around labels and icons doesn't grow with the text size. */
const sizes: Record<ButtonSize, string> = {
  small: "h-fit min-h-9 px-[min(0.75rem,3.75vw)] text-sm",
  medium: "h-fit min-h-11 px-[min(1.25rem,6.25vw)] text-sm",
};
const squares: Record<ButtonSize, string> = {
  small: "w-[min(2.25rem,11.25vw)] px-0!",
  medium: "w-[min(2.75rem,13.75vw)] px-0!",
};

interface ButtonLook {
  kind?: ButtonKind;
  size?: ButtonSize;
  /** Makes the button square, for a single icon. */
  isSquare?: boolean;
}

/** Returns the classes of a button, for links that look like one. */
export function buttonClass({
  kind = "quiet",
  size = "medium",
  isSquare = false,
}: ButtonLook): string {
  return classNames(
    "inline-flex shrink-0 select-none items-center justify-center gap-2 rounded-md font-medium",
    "max-w-full wrap-break-word sm:whitespace-nowrap",
    "transition-colors duration-fast disabled:pointer-events-none disabled:opacity-50 aria-disabled:opacity-50",
    kinds[kind],
    sizes[size],
    isSquare && squares[size],
  );
}

export function Button({
  kind,
  size,
  isSquare,
  className,
  type,
  ...rest
}: ComponentProps<"button"> & ButtonLook) {
  return (
    <button
      type={type ?? "button"}
      className={classNames(buttonClass({ kind, size, isSquare }), className)}
      {...rest}
    />
  );
}
