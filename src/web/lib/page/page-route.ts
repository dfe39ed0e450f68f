import { createContext as createReactContext, useContext, type ComponentType } from "react";
import {
  createContext,
  useLoaderData,
  data,
  type LoaderFunction,
  type RouteObject,
  type ShouldRevalidateFunction,
} from "react-router";
import type { PageApi, ServerPageApi } from "#contract/site/page-api.ts";
import type { FirstVideo } from "./first-video.ts";
import type { Head } from "./head.ts";
import type { Site } from "./site.ts";

/** Data source of loaders: services on the server, fetch in the browser. */
export const pageApiContext = createContext<PageApi>();

/** Null in the browser. */
export const serverApiContext = createContext<ServerPageApi | null>(null);

/** Canonical origin if the settings have none. */
export const siteUrlContext = createContext<string>();

/** Route of URLs without a page. */
export const unknownAddressId = "unknown-address";

/** Input of a page's head. `data` is the loader's result. */
export interface HeadInput<Data> {
  data: Data;
  params: Readonly<Record<string, string | undefined>>;
  /** URL of the page on this site, with its query. */
  url: URL;
  site: Site;
}

/** Input for finding a page's first video. `data` is the loader's result. */
interface FirstVideoInput<Data> {
  data: Data;
  site: Site;
}

/**
 * `standard` has navigation, content and a footer. `immersive` is full screen. `bare` has only
 * content.
 */
export type PageLayout = "standard" | "immersive" | "bare";

/** Facts about a page. `Data` is the result of its loader. */
export interface PageHandle<Data = unknown> {
  /**
   * Names of the query parameters that the page reads while the server renders it. Cached copies of
   * the page only differ in these parameters.
   */
  query: readonly string[];
  /**
   * May be a promise, because it can load a script. The head of the first page comes from the
   * server.
   */
  head?: (input: HeadInput<Data>) => Head | Promise<Head>;
  /**
   * Loads the components that only some data needs. Runs before hydration, without data if the
   * loader failed. Loaders call it themselves.
   */
  prepare?: (data: Data | undefined) => Promise<unknown> | null;
  /** Returns the video that starts with the page. Null or absent if none does. */
  firstVideo?: (input: FirstVideoInput<Data>) => FirstVideo | null;
  layout?: PageLayout | ((url: { pathname: string; search: string }) => PageLayout);
  /** Returns the title for a missing page, such as "Video not found". */
  unknownTitle?: () => string;
  /** False for forms and the site's own texts, which popup ads would get in the way of. */
  hasPopups?: boolean;
  /**
   * True if trusted ads may run their scripts on the page. Never on a page with a form or a secret.
   * The server and the router read the same list from `page-zones.ts`, and a test compares both.
   */
  allowsTrustedAds?: boolean;
}

export function isPageHandle(handle: unknown): handle is PageHandle {
  return typeof handle === "object" && handle !== null;
}

/** Ties a page's handle to the type that its loader returns, because the router drops that type. */
export function pageHandle<Data = null>(handle: PageHandle<Data>): PageHandle {
  return handle as PageHandle;
}

/** Exports of a page's module. */
export interface PageModule {
  Component: ComponentType;
  loader?: LoaderFunction;
  handle?: PageHandle;
  ErrorBoundary?: ComponentType;
  shouldRevalidate?: ShouldRevalidateFunction;
}

/**
 * Creates a route whose page is loaded on demand. `file` is the path of the module relative to
 * `src/web/features`, such as `home/home-page.tsx` or `../../ads/admin/ads/page.tsx`. It must be the
 * path that `load` imports, because the server uses it to find the scripts to preload.
 * @param path null for the index of the parent.
 */
export function page(
  path: string | null,
  file: string,
  load: () => Promise<PageModule>,
  children?: RouteObject[],
): RouteObject {
  if (path === null) return { index: true, id: `${file}#index`, lazy: load };
  return { path, id: `${file}#${path}`, lazy: load, children };
}

/** Returns the module paths, from the repository root, of routes that `page` created. */
export function modulesOfRoutes(routeIds: readonly string[]): string[] {
  return routeIds
    .filter((id) => id.includes("#"))
    .map((id) => new URL(id, "http://x/src/web/features/").pathname.slice(1));
}

/** Set if a route shows another page's view (the front page), with that page's data. */
export const PageDataContext = createReactContext<{ data: unknown } | null>(null);

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
