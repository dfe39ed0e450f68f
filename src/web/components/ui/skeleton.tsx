import { classNames } from "./class-names.ts";

/** Placeholder for loading content. Give it the size of the content. */
export function Skeleton({ className }: { className?: string }) {
  return <div aria-hidden="true" className={classNames("skeleton", className)} />;
}
