import type { RouteObject } from "react-router";
import { isPageHandle } from "#web/lib/page/page-route.ts";
import { isAdminPath } from "./routes.tsx";

async function handleOf(load: () => Promise<{ handle?: unknown }>): Promise<unknown> {
  return (await load()).handle;
}

/** Returns the path of every page in a route table, with a function that loads its handle. */
export function pagesOf(
  table: readonly RouteObject[],
  parent = "",
): { path: string; loadHandle: () => Promise<unknown> }[] {
  return table.flatMap(({ path = "", index, lazy, children = [] }) => {
    const own = path.startsWith("/") ? path : path === "" ? parent : `${parent}/${path}`;
    const isPage = typeof lazy === "function" && (index === true || path !== "");
    return [
      ...(isPage ? [{ path: own, loadHandle: () => handleOf(lazy) }] : []),
      ...pagesOf(children, own),
    ];
  });
}

/**
 * Returns the query parameters that each page declares in its handle. Pages of the back office
 * aren't loaded, because their handles declare none.
 */
export async function readPageQueries(
  table: readonly RouteObject[],
): Promise<Record<string, readonly string[]>> {
  const queries = pagesOf(table).map(async ({ path, loadHandle }) => {
    if (isAdminPath(path)) return [path, []] as const;
    const handle = await loadHandle();
    if (!isPageHandle(handle)) throw new Error(`${path} doesn't declare its query parameters`);
    return [path, handle.query] as const;
  });
  return Object.fromEntries(await Promise.all(queries));
}
