import { useState, type ReactNode, type SubmitEvent } from "react";
import { useLoaderData, type LoaderFunctionArgs } from "react-router";
import { forgotten, type PrivacyFacts } from "#contract/visitors/privacy.ts";
import { PageHeading } from "#web/components/ui/page-heading.tsx";
import { pageHandle, pageApiContext, routeFailure } from "#web/lib/page/page-route.ts";
import { siteTitle } from "#web/lib/page/share-meta.ts";
import { ConsentSection } from "#web/features/consent/consent-section.tsx";
import { OperatorText } from "#web/components/site/operator-text.tsx";
import { inLanguage, pagePath } from "#web/lib/language/page-language.ts";
import { listCookies, listKeys, listStored, type StoredThing } from "./stored-data.ts";
import { Button } from "#web/components/ui/button.tsx";
import { call } from "#web/lib/api/http.ts";
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
function ForgetSection() {
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

export const loader = ({ context }: LoaderFunctionArgs): Promise<PrivacyFacts> =>
  context
    .get(pageApiContext)
    .privacyFacts()
    .catch((error: unknown) => {
      throw routeFailure(error);
    });

export const handle = pageHandle<PrivacyFacts>({
  query: ["forgotten", "error"],
  hasPopups: false,
  head: ({ site }) => ({
    title: siteTitle(messages.title, site),
    canonical: `${site.url}/privacy`,
    description: messages.intro,
  }),
});

function Section({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section aria-label={title} className="mb-10 max-w-[70ch]">
      <h2 className="mb-3 text-lg font-semibold tracking-tight">{title}</h2>
      {children}
    </section>
  );
}

function Things({ things }: { things: readonly StoredThing[] }) {
  return (
    <dl className="divide-y divide-line border-y border-line">
      {things.map(({ name, what, kept }) => (
        <div key={name} className="py-3">
          <dt className="font-medium break-words">{name}</dt>
          <dd className="mt-1 text-ink-11">{what}</dd>
          <dd className="mt-1 text-sm text-ink-11">{messages.keptFor(kept)}</dd>
        </div>
      ))}
    </dl>
  );
}

function Hosts({ text, hosts }: { text: string; hosts: readonly string[] }) {
  return (
    <>
      <p>{text}</p>
      <ul className="mt-2 mb-4 list-disc ps-6">
        {hosts.map((host) => (
          <li key={host} className="break-all">
            {host}
          </li>
        ))}
      </ul>
    </>
  );
}

function Others({ facts }: { facts: PrivacyFacts }) {
  const { adHosts, siteHosts, hasAds, hasTrustedAds } = facts;
  const hasThirdParties = adHosts.length + siteHosts.length > 0 || hasTrustedAds;
  if (!hasThirdParties) return <p>{hasAds ? messages.ads : messages.noOthers}</p>;
  return (
    <>
      {siteHosts.length === 0 ? null : <Hosts text={messages.siteHosts} hosts={siteHosts} />}
      {adHosts.length === 0 ? null : <Hosts text={messages.adHosts} hosts={adHosts} />}
      {hasTrustedAds ? <p className="mb-4">{messages.trusted}</p> : null}
      <p>{messages.othersSee}</p>
    </>
  );
}

/** Page with the operator's text, the stored data about visitors, and "Forget me". */
export function Component() {
  const facts = useLoaderData<PrivacyFacts>();
  return (
    <>
      <PageHeading title={messages.title} intro={messages.intro} />
      {facts.html === null ? null : <OperatorText html={facts.html} />}
      <Section title={messages.cookies}>
        <Things things={listCookies(facts)} />
      </Section>
      <Section title={messages.browser}>
        <Things things={listKeys(facts)} />
      </Section>
      <Section title={messages.server}>
        <Things things={listStored(facts)} />
      </Section>
      <Section title={messages.others}>
        <Others facts={facts} />
      </Section>
      {facts.hasTrustedAds ? <ConsentSection /> : null}
      <ForgetSection />
    </>
  );
}
