import { classNames } from "./class-names.ts";

/** Holds the place of something that is loading; give it the size of what will come. */
export function Skeleton({ className }: { className?: string }) {
  return <div aria-hidden="true" className={classNames("skeleton", className)} />;
}
