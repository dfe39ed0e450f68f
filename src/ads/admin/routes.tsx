import type { RouteObject } from "react-router";
import { page } from "#web/lib/page/page-route.ts";

/** Pages of the back office about ads and campaigns. */
export const adPages: RouteObject[] = [
  page({ path: "ads" }, "../ads/admin/ads/page.tsx", () => import("./ads/page.tsx")),
  page(
    { path: "campaigns" },
    "../ads/admin/campaigns/page.tsx",
    () => import("./campaigns/page.tsx"),
  ),
  page(
    { path: "campaigns/advertisers" },
    "../ads/admin/campaigns/advertisers-page.tsx",
    () => import("./campaigns/advertisers-page.tsx"),
  ),
  page(
    { path: "campaigns/report" },
    "../ads/admin/campaigns/report-page.tsx",
    () => import("./campaigns/report-page.tsx"),
  ),
  page(
    { path: "campaigns/:id" },
    "../ads/admin/campaigns/details-page.tsx",
    () => import("./campaigns/details-page.tsx"),
  ),
];

/** Pages for advertisers, who have no account. */
export const partnerPages: RouteObject[] = [
  page(
    { path: "/partner" },
    "../ads/admin/campaigns/shared-report-page.tsx",
    () => import("./campaigns/shared-report-page.tsx"),
  ),
  page(
    { path: "/partner/mails" },
    "../ads/admin/campaigns/mails/end-mails-page.tsx",
    () => import("./campaigns/mails/end-mails-page.tsx"),
  ),
];
