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
  const hasIntro = intro !== undefined && intro !== null && intro !== "";
  return (
    <header className="page-heading">
      {picture}
      <h1 className="min-w-0 text-xl font-semibold tracking-tight wrap-anywhere">
        <bdi>{title}</bdi>
      </h1>
      {hasIntro ? (
        <p className="max-w-2xl min-w-0 text-ink-11 text-pretty wrap-anywhere">
          <bdi>{intro}</bdi>
        </p>
      ) : null}
      {action === undefined ? null : <div data-action="">{action}</div>}
    </header>
  );
}
