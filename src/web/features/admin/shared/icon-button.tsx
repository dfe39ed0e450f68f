import type { ComponentProps, ReactNode } from "react";
import { buttonClass } from "#web/components/ui/button.tsx";
import { classNames } from "#web/components/ui/class-names.ts";

/** Icon button with a target of 44 px. Shows its short name on hover and on focus. */
export function IconButton({
  label,
  name = label,
  children,
  isDanger = false,
  className,
  ...rest
}: ComponentProps<"button"> & {
  label: string;
  name?: string;
  isDanger?: boolean;
  children: ReactNode;
}) {
  return (
    <button
      type="button"
      aria-label={label}
      data-name={name}
      className={classNames(
        buttonClass({ kind: "ghost", isSquare: true }),
        "icon-name",
        isDanger && "hover:bg-danger-soft hover:text-danger-text",
        className,
      )}
      {...rest}
    >
      {children}
    </button>
  );
}
