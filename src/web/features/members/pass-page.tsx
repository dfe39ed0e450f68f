import { useEffect } from "react";
import { data, useLoaderData, type LoaderFunctionArgs } from "react-router";
import { pageHandle, serverApiContext } from "#web/lib/page/page-route.ts";
import { siteTitle } from "#web/lib/page/share-meta.ts";

interface PassPageData {
  title: string;
  /** Absent in the browser, because the page contains it. */
  html?: string;
}

/** Renders the page on the server. Every visit loads a new document. */
export async function loader({ context }: LoaderFunctionArgs): Promise<PassPageData> {
  const view = import.meta.env.SSR ? (context.get(serverApiContext)?.passView() ?? null) : null;
  if (view === null) throw data(null, { status: 404 });
  const { title, html } = (await import("./render-pass.tsx")).renderPass(view);
  return Object.assign({ title, html }, { toJSON: () => ({ title }) });
}

export const handle = pageHandle<PassPageData>({
  query: [],
  hasPopups: false,
  head: ({ data: { title }, site }) => ({
    title: siteTitle(title, site),
    meta: [{ name: "robots", content: "noindex" }],
  }),
});

/**
 * Sends the code in the fragment by the page's form. The fragment reaches no server log, proxy or
 * referrer, and the code leaves the address before the request.
 */
function sendFragment(): void {
  const { hash, pathname, search } = window.location;
  if (hash.length < 2) return;
  window.history.replaceState(window.history.state, "", pathname + search);
  const form = document.forms.namedItem("code");
  const field = form?.elements.namedItem("code");
  if (form === null || !(field instanceof HTMLInputElement)) return;
  field.value = hash.slice(1);
  form.submit();
}

/** Page on which a visitor uses a pass on this device, and sees its other devices. */
export function Component() {
  const { html = "" } = useLoaderData<PassPageData>();
  useEffect(() => {
    sendFragment();
    // A link that is opened on this page only changes the fragment.
    window.addEventListener("hashchange", sendFragment);
    return () => window.removeEventListener("hashchange", sendFragment);
  }, []);
  return (
    <div
      className="mx-auto w-full max-w-lg py-10 md:py-16"
      suppressHydrationWarning
      dangerouslySetInnerHTML={{ __html: html }}
    />
  );
}
