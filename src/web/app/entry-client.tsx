import { startTransition } from "react";
import { hydrateRoot } from "react-dom/client";
import {
  matchRoutes,
  RouterContextProvider,
  RouterProvider,
  UNSAFE_createBrowserHistory as createBrowserHistory,
  UNSAFE_createRouter as createRouter,
  UNSAFE_defaultMapRouteProperties as mapRouteProperties,
  UNSAFE_hydrationRouteProperties as hydrationRouteProperties,
  type RouteObject,
  type DataRouter,
  type HydrationState,
} from "react-router";
import { watchSaveClicks } from "#web/components/save/watch-save-clicks.ts";
import { browserApi } from "#web/lib/api/page-api.ts";
import { pageApiContext, siteUrlContext } from "#web/lib/page/page-route.ts";
import { pagePath } from "#web/lib/language/page-language.ts";
import type { PageHandle } from "#web/lib/page/page-route.ts";
import { notePages } from "#web/lib/page/play-origin.ts";
import { startSession } from "#web/lib/session.ts";
import { takeEarlyClick } from "./first-frame/early-click.ts";
import { followLinks, separateDocuments, watchIntent } from "./follow-links.ts";
import { readHydration } from "./hydration.ts";
import { addAdminRoutes, routes } from "./routes.tsx";
import "./styles/app.css";

/**
 * Updates the title and metadata after a navigation. The server wrote those of the first page, so
 * this code is only loaded with the first navigation.
 */
function followHead(router: DataRouter): void {
  let shown = router.state;
  router.subscribe((state) => {
    if (state.navigation.state !== "idle") return;
    const isSame =
      shown.location === state.location &&
      shown.loaderData === state.loaderData &&
      shown.errors === state.errors;
    shown = state;
    if (isSame) return;
    const url = new URL(window.location.href);
    Promise.all([import("./page-head.ts"), import("#web/lib/page/head.ts")])
      .then(async ([{ headOfPage }, { applyHead }]) => {
        const head = await headOfPage(state, url);
        // Another navigation may have finished meanwhile.
        if (shown === state) applyHead(head);
      })
      .catch(console.warn);
  });
}

// Settings for zod, which is loaded later and only in the back office. Without them, zod tries `new
// Function`, which violates the Content Security Policy.
Object.assign(globalThis, { __zod_globalConfig: { jitless: true } });

/** Loads the scripts of the matched pages first, because hydration must match the HTML. */
async function loadMatchedPages(
  matches: { route: RouteObject }[],
  loaderData: HydrationState["loaderData"],
): Promise<void> {
  await Promise.all(
    matches.map(async ({ route }) => {
      if (typeof route.lazy !== "function") return;
      const module = await route.lazy();
      Object.assign(route, module, { lazy: undefined });
      const { handle } = route as { handle?: PageHandle };
      await handle?.prepare?.(loaderData?.[route.id ?? ""]);
    }),
  );
  if (new URLSearchParams(window.location.search).has("search")) {
    await (await import("#web/components/video/search-parts.ts")).loadSearchParts();
  }
}

const prepared = new Set<string>();

/**
 * Fetches the scripts of a page that the visitor is likely to open. A failure is only reported on
 * navigation.
 */
function preparePage(pathname: string): void {
  if (prepared.has(pathname)) return;
  prepared.add(pathname);
  const loads: Promise<unknown>[] = [import("#web/lib/api/api-client.ts")];
  for (const { route } of matchRoutes(routes, pathname) ?? []) {
    if (typeof route.lazy === "function") loads.push(route.lazy());
  }
  for (const load of loads) load.catch(() => prepared.delete(pathname));
}

async function start(): Promise<void> {
  const container = document.getElementById("root");
  if (container === null) return;
  const hydration = readHydration();
  await addAdminRoutes(window.location.pathname);
  await loadMatchedPages(
    matchRoutes(routes, window.location, pagePath("/")) ?? [],
    hydration?.hydrationData.loaderData,
  );
  const siteUrl = hydration?.siteUrl ?? window.location.origin;
  // Does what `createBrowserRouter` does. That function shares a module with links, forms and
  // fetchers, which no page uses. They would add 4 KB to every first load.
  const router = createRouter({
    routes,
    history: createBrowserHistory(),
    mapRouteProperties,
    hydrationRouteProperties,
    basename: pagePath("/"),
    hydrationData: hydration?.hydrationData,
    getContext: () => {
      const context = new RouterContextProvider();
      context.set(pageApiContext, browserApi);
      context.set(siteUrlContext, siteUrl);
      return context;
    },
  }).initialize();
  separateDocuments(router);
  takeEarlyClick();
  // Hydrates in slices, so that taps and scrolls don't wait for the whole page.
  startTransition(() => {
    hydrateRoot(container, <RouterProvider router={router} />);
  });
  followHead(router);
  notePages(router);
  followLinks(document, router);
  watchIntent(document, preparePage);
  watchSaveClicks(document);
  startSession();
}

// Few visits come through a referral link.
if (window.location.search.includes("ref=")) {
  import("./report-referral.ts").then(({ reportReferral }) => reportReferral()).catch(console.warn);
}
void start();
