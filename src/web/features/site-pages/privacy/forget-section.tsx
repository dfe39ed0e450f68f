import { useState, type SubmitEvent } from "react";
import { forgotten } from "#contract/visitors/privacy.ts";
import { Button } from "#web/components/ui/button.tsx";
import { call } from "#web/lib/api/http.ts";
import { inLanguage, pagePath } from "#web/lib/language/page-language.ts";
import { stopOffline } from "#web/lib/visitor-library/keep-offline.ts";
import { useQueryParams } from "#web/lib/page/query-params.ts";

const messages = inLanguage("privacy");

/** Keys of back-office users. They aren't deleted, because users sign out instead. */
const ofUsers = new Set(["user"]);

/** Deletes the visitor's data in this browser's storage. */
function clearBrowser(): void {
  try {
    for (const key of Object.keys(localStorage)) {
      if (!ofUsers.has(key)) localStorage.removeItem(key);
    }
    sessionStorage.clear();
  } catch {
    // Storage is disabled, so it is empty.
  }
}

/** Deletes the stored data about this visitor. Without scripts, the server redirects back. */
export function ForgetSection() {
  const params = useQueryParams();
  const [isBusy, setBusy] = useState(false);
  const [hasFailed, setFailed] = useState(params.has("error"));

  const forget = async () => {
    setBusy(true);
    setFailed(false);
    try {
      await call("/api/forget", forgotten, { method: "POST" });
      clearBrowser();
      await stopOffline().catch(console.warn);
      // Reloading the page clears everything that other parts have in memory.
      window.location.replace(pagePath("/privacy?forgotten=1#forget"));
    } catch {
      setFailed(true);
      setBusy(false);
    }
  };

  return (
    <section aria-labelledby="forget" className="max-w-[70ch] scroll-mt-20 pb-10">
      <h2 id="forget" className="mb-3 text-lg font-semibold tracking-tight">
        {messages.forget}
      </h2>
      <p className="mb-4 text-ink-11">{messages.forgetText}</p>
      <div role="status">
        {params.has("forgotten") ? (
          <p className="mb-4 rounded-md bg-done-soft px-4 py-3 text-sm font-medium text-done-text">
            {messages.forgotten}
          </p>
        ) : null}
      </div>
      <div role="alert">
        {hasFailed ? (
          <p className="mb-4 rounded-md bg-danger-soft px-4 py-3 text-sm font-medium text-danger-text">
            {messages.failed}
          </p>
        ) : null}
      </div>
      <form
        method="post"
        action="/api/forget"
        onSubmit={(event: SubmitEvent) => {
          event.preventDefault();
          if (!isBusy) void forget();
        }}
      >
        <Button type="submit" kind="danger" aria-disabled={isBusy}>
          {isBusy ? messages.busy : messages.forgetButton}
        </Button>
      </form>
    </section>
  );
}
