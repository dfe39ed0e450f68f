import { useEffect } from "react";
import { isRouteErrorResponse, useRevalidator, useRouteError } from "react-router";
import { buttonClass } from "#web/components/ui/button.tsx";
import { inLanguage, pagePath } from "#web/lib/language/page-language.ts";

const messages = inLanguage("errors");

type Failure = "unknown-address" | "offline" | "script" | "failed";

const isOffline = () => typeof navigator !== "undefined" && !navigator.onLine;

function failureOf(error: unknown): Failure {
  if (isRouteErrorResponse(error) && error.status === 404) return "unknown-address";
  if (isOffline()) return "offline";
  if (isRouteErrorResponse(error)) return "failed";
  if (error instanceof TypeError) {
    // The page's script is missing, because an update has removed it or the site is unreachable.
    // Browsers don't repeat a failed import, so only a reload helps.
    return /import|module/i.test(error.message) ? "script" : "offline";
  }
  return "failed";
}

const words = {
  "unknown-address": { title: "notFoundTitle", text: "notFoundText" },
  offline: { title: "offlineTitle", text: "offlineText" },
  script: { title: "failedTitle", text: "failedText" },
  failed: { title: "failedTitle", text: "failedText" },
} as const satisfies Record<Failure, object>;

/** Replaces a page that doesn't exist or failed to render. */
export function ErrorPage() {
  const failure = failureOf(useRouteError());
  const revalidator = useRevalidator();
  const title =
    failure === "offline" && isOffline() ? messages.offline : messages[words[failure].title];
  useEffect(() => {
    if (failure !== "offline") return;
    // Reloads the page once it is online, because the page's script may be missing.
    const reload = () => window.location.reload();
    window.addEventListener("online", reload);
    return () => window.removeEventListener("online", reload);
  }, [failure]);
  return (
    <section className="mx-auto flex min-h-[60vh] max-w-lg flex-col items-center justify-center gap-4 px-4 py-16 text-center">
      {failure === "unknown-address" ? (
        <p aria-hidden="true" className="text-2xl font-semibold tracking-tight text-lamp-text">
          404
        </p>
      ) : null}
      <h1 className="text-xl font-semibold tracking-tight">{title}</h1>
      <p className="text-ink-11 text-balance">{messages[words[failure].text]}</p>
      <div className="mt-2 flex flex-wrap justify-center gap-3">
        {failure === "unknown-address" ? null : (
          <button
            type="button"
            className={buttonClass({ kind: "primary" })}
            disabled={revalidator.state === "loading"}
            onClick={() =>
              failure === "script" ? window.location.reload() : void revalidator.revalidate()
            }
          >
            {failure === "script" ? messages.reload : messages.tryAgain}
          </button>
        )}
        <a className={buttonClass({ kind: "quiet" })} href={pagePath("/home")}>
          {messages.goHome}
        </a>
      </div>
    </section>
  );
}
