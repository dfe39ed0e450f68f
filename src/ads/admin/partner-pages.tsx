import type { RouteObject } from "react-router";
import { page } from "#web/lib/page/page-route.ts";

/** Pages for advertisers, who have no account. */
export const partnerPages: RouteObject[] = [
  page(
    "/partner",
    "../../ads/admin/campaigns/shared-report-page.tsx",
    () => import("./campaigns/shared-report-page.tsx"),
  ),
];
