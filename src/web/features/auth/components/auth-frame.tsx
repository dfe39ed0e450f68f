import type { ComponentProps, ReactNode } from "react";
import { SiteMark } from "#web/components/ui/wordmark.tsx";
import { useIsHydrated } from "#web/lib/hydration-phase.ts";
import { useSite } from "#web/lib/page/site.ts";
import { authMessages as messages } from "../messages.ts";

/** Frame of the sign-in pages with a heading, an intro and a form. */
export function AuthFrame({
  title,
  intro,
  children,
}: {
  title: string;
  intro: string;
  children: ReactNode;
}) {
  return (
    <div lang="en" dir="ltr" className="mx-auto w-full max-w-sm py-12 md:py-20">
      <SiteMark
        logoUrl={useSite().settings.logoUrl}
        className="mb-6 h-10 max-w-48 object-contain"
      />
      <h1 className="text-xl font-semibold tracking-tight">{title}</h1>
      <p className="mt-2 mb-8 text-ink-11">{intro}</p>
      {children}
    </div>
  );
}

/** Form shown after hydration. Submitted earlier, it would put its fields into the URL. */
export function ScriptForm(props: Pick<ComponentProps<"form">, "onSubmit" | "children">) {
  return useIsHydrated() ? (
    <form className="space-y-5" {...props} />
  ) : (
    <noscript>{messages.noScripts}</noscript>
  );
}

/** Error message that screen readers announce. */
export function FormError({ message }: { message: string | null }) {
  return (
    <div role="alert">
      {message === null ? null : (
        <p className="rounded-md bg-danger-soft px-4 py-3 text-sm font-medium text-danger-text">
          {message}
        </p>
      )}
    </div>
  );
}
