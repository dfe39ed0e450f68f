import type { ReactNode } from "react";

/** Heading with an optional text below. */
export function PageHeading({ title, intro }: { title: string; intro?: ReactNode }) {
  return (
    <header className="pt-8 pb-6 md:pt-10">
      <h1 className="text-xl font-semibold tracking-tight break-words">{title}</h1>
      {intro === undefined || intro === null || intro === "" ? null : (
        <p className="mt-2 max-w-2xl text-ink-11 text-pretty">{intro}</p>
      )}
    </header>
  );
}
