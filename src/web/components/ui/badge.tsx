import type { ReactNode } from "react";
import { classNames } from "./class-names.ts";

export type BadgeTone = "neutral" | "lamp" | "done" | "danger";

const tones: Record<BadgeTone, string> = {
  neutral: "bg-ink-3 text-ink-11",
  lamp: "bg-lamp-soft text-lamp-text",
  done: "bg-done-soft text-done-text",
  danger: "bg-danger-soft text-danger-text",
};

/** Returns the classes of a badge, for buttons that look like one. */
export function badgeClass(tone: BadgeTone): string {
  return classNames(
    "inline-flex items-center gap-1 rounded-sm px-2 py-0.5 text-xs font-semibold whitespace-nowrap",
    tones[tone],
  );
}

export function Badge({ tone = "neutral", children }: { tone?: BadgeTone; children: ReactNode }) {
  return <span className={badgeClass(tone)}>{children}</span>;
}
