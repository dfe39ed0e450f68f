import { createContext, useContext } from "react";
import { useLoaderData } from "react-router";

/** Set if a route shows another page's view (the front page), with that page's data. */
export const PageDataContext = createContext<{ data: unknown } | null>(null);

/** Returns the data of the page's own loader, even if another route shows the page. */
export function usePageData<Data>(): Data {
  const handed = useContext(PageDataContext);
  const own: unknown = useLoaderData();
  return (handed === null ? own : handed.data) as Data;
}
