import {
  data,
  type LoaderFunctionArgs,
  type PatchRoutesOnNavigationFunction,
  type RouteObject,
} from "react-router";
import { ErrorPage } from "#web/features/errors/error-page.tsx";
import { pageApiContext, serverApiContext, siteUrlContext } from "#web/lib/page/page-context.ts";
import { page, unknownAddressId } from "#web/lib/page/page-route.ts";
import { rootRouteId, siteOf, type Site } from "#web/lib/page/site.ts";
import { PublicLayout } from "./layouts/public-layout.tsx";
import { RootLayout } from "./layouts/root-layout.tsx";

/**
 * Loads the site. Falls back to defaults, so that pages work even if the settings can't be read.
 */
async function loadSite({ context }: LoaderFunctionArgs): Promise<Site> {
  const api = context.get(pageApiContext);
  const serverApi = context.get(serverApiContext);
  const [settings, adSlots] = await Promise.all([
    api.publicSettings().catch((error: unknown) => {
      console.warn("Public settings failed", error);
      return null;
    }),
    serverApi?.adSlots().catch(() => null) ?? null,
  ]);
  return siteOf(settings, context.get(siteUrlContext), adSlots);
}

const publicPages: RouteObject[] = [
  page({ path: "/" }, "app/front-page.tsx", () => import("./front-page.tsx")),
  page(
    { path: "/feed" },
    "features/feed/feed-page.tsx",
    () => import("#web/features/feed/feed-page.tsx"),
  ),
  page(
    { path: "/feed/:slug" },
    "features/feed/feed-page.tsx",
    () => import("#web/features/feed/feed-page.tsx"),
  ),
  page(
    { path: "/home" },
    "features/home/home-page.tsx",
    () => import("#web/features/home/home-page.tsx"),
  ),
  page(
    { path: "/trending" },
    "features/trending/trending-page.tsx",
    () => import("#web/features/trending/trending-page.tsx"),
  ),
  page(
    { path: "/tags" },
    "features/browse/tags-page.tsx",
    () => import("#web/features/browse/tags-page.tsx"),
  ),
  page(
    { path: "/categories" },
    "features/browse/categories-page.tsx",
    () => import("#web/features/browse/categories-page.tsx"),
  ),
  page(
    { path: "/actors" },
    "features/browse/actors-page.tsx",
    () => import("#web/features/browse/actors-page.tsx"),
  ),
  page(
    { path: "/tags/:slug" },
    "features/browse/tag-page.tsx",
    () => import("#web/features/browse/tag-page.tsx"),
  ),
  page(
    { path: "/categories/:slug" },
    "features/browse/category-page.tsx",
    () => import("#web/features/browse/category-page.tsx"),
  ),
  page(
    { path: "/actors/:slug" },
    "features/browse/actor-page.tsx",
    () => import("#web/features/browse/actor-page.tsx"),
  ),
  page(
    { path: "/video/:slug" },
    "features/video/video-page.tsx",
    () => import("#web/features/video/video-page.tsx"),
  ),
  page(
    { path: "/private/:secret" },
    "features/video/private-page.tsx",
    () => import("#web/features/video/private-page.tsx"),
  ),
  page(
    { path: "/report/:slug" },
    "features/report/report-page.tsx",
    () => import("#web/features/report/report-page.tsx"),
  ),
  page(
    { path: "/comments/:slug" },
    "features/comments/comments-page.tsx",
    () => import("#web/features/comments/comments-page.tsx"),
  ),
  page(
    { path: "/takedown" },
    "features/report/takedown-page.tsx",
    () => import("#web/features/report/takedown-page.tsx"),
  ),
  page(
    { path: "/removals" },
    "features/report/removals-page.tsx",
    () => import("#web/features/report/removals-page.tsx"),
  ),
  page(
    { path: "/search" },
    "features/search/search-page.tsx",
    () => import("#web/features/search/search-page.tsx"),
  ),
  page(
    { path: "/favorites" },
    "features/favorites/favorites-page.tsx",
    () => import("#web/features/favorites/favorites-page.tsx"),
  ),
  page(
    { path: "/library" },
    "features/visitor-library/library-page.tsx",
    () => import("#web/features/visitor-library/library-page.tsx"),
  ),
  page(
    { path: "/terms" },
    "features/site-pages/terms-page.tsx",
    () => import("#web/features/site-pages/terms-page.tsx"),
  ),
  page(
    { path: "/privacy" },
    "features/site-pages/privacy-page.tsx",
    () => import("#web/features/site-pages/privacy-page.tsx"),
  ),
  page(
    { path: "/contact" },
    "features/site-pages/contact-page.tsx",
    () => import("#web/features/site-pages/contact-page.tsx"),
  ),
  page(
    { path: "/source" },
    "features/site-pages/source-page.tsx",
    () => import("#web/features/site-pages/source-page.tsx"),
  ),
  page(
    { path: "/auth/signin" },
    "features/auth/sign-in-page.tsx",
    () => import("#web/features/auth/sign-in-page.tsx"),
  ),
  page(
    { path: "/auth/forgot" },
    "features/auth/forgot-page.tsx",
    () => import("#web/features/auth/forgot-page.tsx"),
  ),
  page(
    { path: "/auth/reset" },
    "features/auth/reset-page.tsx",
    () => import("#web/features/auth/reset-page.tsx"),
  ),
  page(
    { path: "/auth/invitation" },
    "features/auth/invitation-page.tsx",
    () => import("#web/features/auth/invitation-page.tsx"),
  ),
  page(
    { path: "/setup" },
    "features/auth/setup-page.tsx",
    () => import("#web/features/auth/setup-page.tsx"),
  ),
  {
    path: "*",
    id: unknownAddressId,
    loader: () => {
      throw data(null, { status: 404 });
    },
    Component: () => null,
  },
];

const embed = page(
  { path: "/embed/:slug" },
  "features/video/embed-page.tsx",
  () => import("#web/features/video/embed-page.tsx"),
);

/** Parent of the back office's routes, which visitors never load. */
const adminParent: RouteObject = { id: "admin-parent", ErrorBoundary: ErrorPage, children: [] };

/**
 * Routes of the public pages. Each page has its own script. This table is part of the first script.
 */
export const routes: RouteObject[] = [
  {
    id: rootRouteId,
    loader: loadSite,
    shouldRevalidate: () => false,
    Component: RootLayout,
    ErrorBoundary: ErrorPage,
    children: [
      {
        id: "public",
        Component: PublicLayout,
        // The inner route keeps the navigation and the footer around a failed page.
        children: [{ id: "public-pages", ErrorBoundary: ErrorPage, children: publicPages }],
      },
      adminParent,
      { id: "bare", ErrorBoundary: ErrorPage, children: [embed] },
    ],
  },
];

/** Pages of the back office and of advertisers. */
export const isAdminPath = (path: string) => /^\/(admin|partner)(\/|$)/.test(path);

/**
 * Adds the back office's routes before the router is created, if the first page is below /admin.
 */
export async function addAdminRoutes(path: string): Promise<void> {
  if (!isAdminPath(path)) return;
  const { adminRoutes } = await import("#web/features/admin/routes.tsx");
  adminParent.children = adminRoutes;
}

/** Adds these routes when a visitor navigates from a public page to one below /admin. */
export const patchRoutesOnNavigation: PatchRoutesOnNavigationFunction = async ({ path, patch }) => {
  if (!isAdminPath(path)) return;
  const { adminRoutes } = await import("#web/features/admin/routes.tsx");
  patch("admin-parent", adminRoutes);
};
