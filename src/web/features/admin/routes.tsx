import type { RouteObject } from "react-router";
import { partnerPages } from "#ads/admin/partner-pages.tsx";
import { page } from "#web/lib/page/page-route.ts";
import { adminPages } from "./admin-pages.ts";

const root = "/admin";

/**
 * Routes of the back office. Visitors load none of its code. Each page is loaded when it is opened.
 */
export const adminRoutes: RouteObject[] = [
  page(
    root,
    "admin/shell/admin-frame.tsx",
    () => import("./shell/admin-frame.tsx"),
    adminPages.map(({ href, file, load }) =>
      page(href === root ? null : href.slice(root.length + 1), file, load),
    ),
  ),
  ...partnerPages,
];
