import type { ReactNode } from "react";

/** Heading with an optional text below, and an optional picture or action beside them. */
export function PageHeading({
  title,
  intro,
  picture,
  action,
}: {
  title: string;
  intro?: ReactNode;
  picture?: ReactNode;
  action?: ReactNode;
}) {
  return (
    <header className="flex flex-wrap items-center gap-x-6 gap-y-4 pt-8 pb-6 md:pt-10">
      {picture}
      <div className="min-w-0 flex-1 basis-64">
        <h1 className="text-xl font-semibold tracking-tight break-words">
          <bdi>{title}</bdi>
        </h1>
        {intro === undefined || intro === null || intro === "" ? null : (
          <p className="mt-2 max-w-2xl text-ink-11 text-pretty">
            <bdi>{intro}</bdi>
          </p>
        )}
      </div>
      {action}
    </header>
  );
}
