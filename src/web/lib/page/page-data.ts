import { createContext, useContext } from "react";
import { useLoaderData, data } from "react-router";

/** Set if a route shows another page's view (the front page), with that page's data. */
export const PageDataContext = createContext<{ data: unknown } | null>(null);

/** Returns the data of the page's own loader, even if another route shows the page. */
export function usePageData<Data>(): Data {
  const handed = useContext(PageDataContext);
  const own: unknown = useLoaderData();
  return (handed === null ? own : handed.data) as Data;
}

/** Returns the HTTP status of a failed request. Null without a response. */
export function statusOf(error: unknown): number | null {
  if (typeof error !== "object" || error === null || !("status" in error)) return null;
  return typeof error.status === "number" ? error.status : null;
}

/** Returns a failure for the router's error boundaries and the status of the server's response. */
export function routeFailure(error: unknown): ReturnType<typeof data<null>> {
  const status = statusOf(error);
  return data(null, { status: status ?? 503 });
}
