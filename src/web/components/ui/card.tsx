import type { ReactNode } from "react";
import { classNames } from "./class-names.ts";

/** Raised surface that groups content. */
export function Card({ className, children }: { className?: string; children: ReactNode }) {
  return <div className={classNames("rounded-lg bg-ink-2 p-4 sm:p-5", className)}>{children}</div>;
}
