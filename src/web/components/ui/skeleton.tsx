import { classNames } from "./class-names.ts";

/** Placeholder of loading content; give it the size of that content. */
export function Skeleton({ className }: { className?: string }) {
  return <div aria-hidden="true" className={classNames("skeleton", className)} />;
}
