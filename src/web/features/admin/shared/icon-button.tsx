import type { ComponentProps, ReactNode } from "react";
import { buttonClass } from "../../../components/ui/button.tsx";
import { classNames } from "../../../components/ui/class-names.ts";

/** A button with an icon and an accessible name; its target is 44 px. */
export function IconButton({
  label,
  children,
  isDanger = false,
  className,
  ...rest
}: ComponentProps<"button"> & { label: string; isDanger?: boolean; children: ReactNode }) {
  return (
    <button
      type="button"
      aria-label={label}
      title={label}
      className={classNames(
        buttonClass({ kind: "ghost", isSquare: true }),
        isDanger && "hover:bg-danger-soft hover:text-danger-text",
        className,
      )}
      {...rest}
    >
      {children}
    </button>
  );
}
