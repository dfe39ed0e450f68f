import { data, type LoaderFunctionArgs, type RouteObject } from "react-router";
import { ErrorPage } from "#web/features/errors/error-page.tsx";
import {
  page,
  unknownAddressId,
  pageApiContext,
  serverApiContext,
  siteUrlContext,
} from "#web/lib/page/page-route.ts";
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
  page("/", "../app/front-page.tsx", () => import("./front-page.tsx")),
  page("/feed", "feed/feed-page.tsx", () => import("#web/features/feed/feed-page.tsx")),
  page("/feed/:slug", "feed/feed-page.tsx", () => import("#web/features/feed/feed-page.tsx")),
  page("/home", "home/home-page.tsx", () => import("#web/features/home/home-page.tsx")),
  page(
    "/trending",
    "trending/trending-page.tsx",
    () => import("#web/features/trending/trending-page.tsx"),
  ),
  ...(["tags", "categories", "actors"] as const).flatMap((kind) => [
    page(`/${kind}`, "browse/index-page.tsx", async () =>
      (await import("#web/features/browse/index-page.tsx")).indexPage(kind),
    ),
    page(`/${kind}/:slug`, "browse/single-page.tsx", async () =>
      (await import("#web/features/browse/single-page.tsx")).singlePage(kind),
    ),
  ]),
  page("/video/:slug", "video/video-page.tsx", () => import("#web/features/video/video-page.tsx")),
  page(
    "/private/:secret",
    "video/private-page.tsx",
    () => import("#web/features/video/private-page.tsx"),
  ),
  page(
    "/report/:slug",
    "report/report-page.tsx",
    () => import("#web/features/report/report-page.tsx"),
  ),
  page(
    "/comments/:slug",
    "comments/comments-page.tsx",
    () => import("#web/features/comments/comments-page.tsx"),
  ),
  page(
    "/takedown",
    "report/takedown-page.tsx",
    () => import("#web/features/report/takedown-page.tsx"),
  ),
  page(
    "/removals",
    "report/removals-page.tsx",
    () => import("#web/features/report/removals-page.tsx"),
  ),
  page("/search", "search/search-page.tsx", () => import("#web/features/search/search-page.tsx")),
  page(
    "/favorites",
    "favorites/favorites-page.tsx",
    () => import("#web/features/favorites/favorites-page.tsx"),
  ),
  page(
    "/library",
    "visitor-library/library-page.tsx",
    () => import("#web/features/visitor-library/library-page.tsx"),
  ),
  page("/pass", "members/pass-page.tsx", () => import("#web/features/members/pass-page.tsx")),
  page(
    "/privacy",
    "site-pages/privacy-page.tsx",
    () => import("#web/features/site-pages/privacy-page.tsx"),
  ),
  ...(["terms", "contact", "pages/:address"] as const).map((name) =>
    page(`/${name}`, "site-pages/site-page.tsx", async () =>
      (await import("#web/features/site-pages/site-page.tsx")).sitePage(name),
    ),
  ),
  page(
    "/source",
    "site-pages/source-page.tsx",
    () => import("#web/features/site-pages/source-page.tsx"),
  ),
  page(
    "/auth/signin",
    "auth/sign-in-page.tsx",
    () => import("#web/features/auth/sign-in-page.tsx"),
  ),
  page("/auth/forgot", "auth/forgot-page.tsx", () => import("#web/features/auth/forgot-page.tsx")),
  page("/auth/reset", "auth/reset-page.tsx", () => import("#web/features/auth/reset-page.tsx")),
  page(
    "/auth/invitation",
    "auth/invitation-page.tsx",
    () => import("#web/features/auth/invitation-page.tsx"),
  ),
  page("/setup", "auth/setup-page.tsx", () => import("#web/features/auth/setup-page.tsx")),
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
  "/embed/:slug",
  "video/embed-page.tsx",
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
  const { adminRoutes } = await import("#web/features/admin/admin-pages.ts");
  adminParent.children = adminRoutes;
}
