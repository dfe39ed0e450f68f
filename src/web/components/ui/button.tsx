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

const sizes: Record<ButtonSize, string> = {
  small: "h-9 px-3 text-sm",
  medium: "h-11 px-5 text-sm",
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
    "inline-flex shrink-0 select-none items-center justify-center gap-2 rounded-md font-medium whitespace-nowrap",
    "transition-colors duration-fast disabled:pointer-events-none disabled:opacity-50 aria-disabled:opacity-50",
    kinds[kind],
    sizes[size],
    isSquare && (size === "small" ? "w-9 px-0!" : "w-11 px-0!"),
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
