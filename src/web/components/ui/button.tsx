import { useState, type ComponentProps } from "react";
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

/** Classes of `base.css`. */
const sizes: Record<ButtonSize, string> = { small: "button-small", medium: "button-medium" };
const squares: Record<ButtonSize, string> = {
  small: "button-square-small",
  medium: "button-square-medium",
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
  return classNames((isSquare ? squares : sizes)[size], kinds[kind]);
}

/**
 * Button. If it is disabled while it has the focus, for example during its own request, it keeps the
 * focus and only ignores presses, so that keyboard users keep their place.
 */
export function Button({
  kind,
  size,
  isSquare,
  className,
  type,
  disabled = false,
  onFocus,
  onBlur,
  onClick,
  ...rest
}: ComponentProps<"button"> & ButtonLook) {
  const [isFocused, setFocused] = useState(false);
  const isKept = disabled && isFocused;
  return (
    <button
      type={type ?? "button"}
      className={classNames(buttonClass({ kind, size, isSquare }), className)}
      disabled={disabled && !isFocused}
      aria-disabled={isKept || undefined}
      {...rest}
      onFocus={(event) => {
        setFocused(true);
        onFocus?.(event);
      }}
      onBlur={(event) => {
        setFocused(false);
        onBlur?.(event);
      }}
      onClick={isKept ? (event) => event.preventDefault() : onClick}
    />
  );
}
