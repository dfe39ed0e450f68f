import type { ComponentType } from "react";
import type { LoaderFunction, RouteObject, ShouldRevalidateFunction } from "react-router";
import type { FirstVideo } from "./first-video.ts";
import type { Head } from "./head.ts";
import type { Site } from "./site.ts";

/** Route of addresses without a page. */
export const unknownAddressId = "unknown-address";

/** Input of a page's head. `data` is the loader's result. */
export interface HeadInput<Data> {
  data: Data;
  params: Readonly<Record<string, string | undefined>>;
  /** Address of the page on this site, with its query. */
  url: URL;
  site: Site;
}

/** Input for finding a page's first video. `data` is the loader's result. */
interface FirstVideoInput<Data> {
  data: Data;
  site: Site;
}

/** `standard`: navigation, content, footer. `immersive`: full screen. `bare`: the content alone. */
export type PageLayout = "standard" | "immersive" | "bare";

export interface PageHandle {
  head?: (input: HeadInput<unknown>) => Head | Promise<Head>;
  /** Returns the video that starts with the page; null or left out if none does. */
  firstVideo?: (input: FirstVideoInput<unknown>) => FirstVideo | null;
  layout?: PageLayout | ((url: { pathname: string; search: string }) => PageLayout);
  /** Returns the title for a missing page, such as "Video not found". */
  unknownTitle?: () => string;
}

export function isPageHandle(handle: unknown): handle is PageHandle {
  return typeof handle === "object" && handle !== null;
}

interface TypedPageHandle<Data> {
  /** A promise if the head loads a script: the head of the first page comes from the server. */
  head?: (input: HeadInput<Data>) => Head | Promise<Head>;
  firstVideo?: (input: FirstVideoInput<Data>) => FirstVideo | null;
  layout?: PageHandle["layout"];
  unknownTitle?: () => string;
}

/** Ties a page's handle to the type that its loader returns; the router itself drops that type. */
export function pageHandle<Data = null>(handle: TypedPageHandle<Data>): PageHandle {
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
 * A route whose page loads on demand. `file` is the path of the module from `src/web`, such as
 * `features/home/home-page.tsx` or `../ads/admin/ads/page.tsx`. The server
 * finds the scripts to preload by it, so it must be the path that `load` imports.
 */
export function page(
  place: { path: string } | { index: true },
  file: string,
  load: () => Promise<PageModule>,
  children?: RouteObject[],
): RouteObject {
  if ("index" in place) return { index: true, id: `${file}#index`, lazy: load };
  return { path: place.path, id: `${file}#${place.path}`, lazy: load, children };
}

/** Returns the module paths, from the repository root, of routes that `page` created. */
export function modulesOfRoutes(routeIds: readonly string[]): string[] {
  return routeIds
    .filter((id) => id.includes("#"))
    .map((id) => `src/web/${id.slice(0, id.indexOf("#"))}`.replace("web/../", ""));
}
