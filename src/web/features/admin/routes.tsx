import type { RouteObject } from "react-router";
import { adPages, partnerPages } from "#ads/admin/routes.tsx";
import { page } from "#web/lib/page/page-route.ts";

/**
 * The back office. Visitors load only this table: frame and pages load when an admin address is
 * opened.
 */
export const adminRoutes: RouteObject[] = [
  page(
    { path: "/admin" },
    "features/admin/shell/admin-frame.tsx",
    () => import("./shell/admin-frame.tsx"),
    [
      page(
        { index: true },
        "features/admin/dashboard/page.tsx",
        () => import("./dashboard/page.tsx"),
      ),
      page({ path: "videos" }, "features/admin/videos/page.tsx", () => import("./videos/page.tsx")),
      page(
        { path: "videos/:id" },
        "features/admin/videos/details/page.tsx",
        () => import("./videos/details/page.tsx"),
      ),
      page({ path: "trash" }, "features/admin/trash/page.tsx", () => import("./trash/page.tsx")),
      page(
        { path: "categories" },
        "features/admin/categories/page.tsx",
        () => import("./categories/page.tsx"),
      ),
      page({ path: "tags" }, "features/admin/tags/page.tsx", () => import("./tags/page.tsx")),
      page({ path: "actors" }, "features/admin/actors/page.tsx", () => import("./actors/page.tsx")),
      ...adPages,
      page(
        { path: "referrals" },
        "features/admin/referrals/page.tsx",
        () => import("./referrals/page.tsx"),
      ),
      page(
        { path: "import" },
        "features/admin/import-export/page.tsx",
        () => import("./import-export/page.tsx"),
      ),
      page(
        { path: "storage" },
        "features/admin/storage/page.tsx",
        () => import("./storage/page.tsx"),
      ),
      page(
        { path: "settings" },
        "features/admin/settings/page.tsx",
        () => import("./settings/page.tsx"),
      ),
      page(
        { path: "settings/texts" },
        "features/admin/settings/texts-page.tsx",
        () => import("./settings/texts-page.tsx"),
      ),
      page(
        { path: "account" },
        "features/admin/account/page.tsx",
        () => import("./account/page.tsx"),
      ),
      page({ path: "people" }, "features/admin/people/page.tsx", () => import("./people/page.tsx")),
      page(
        { path: "reports" },
        "features/admin/reports/page.tsx",
        () => import("./reports/page.tsx"),
      ),
      page({ path: "safety" }, "features/admin/safety/page.tsx", () => import("./safety/page.tsx")),
      page(
        { path: "webhooks" },
        "features/admin/webhooks/page.tsx",
        () => import("./webhooks/page.tsx"),
      ),
      page({ path: "system" }, "features/admin/system/page.tsx", () => import("./system/page.tsx")),
      page({ path: "audit" }, "features/admin/audit/page.tsx", () => import("./audit/page.tsx")),
    ],
  ),
  ...partnerPages,
];
