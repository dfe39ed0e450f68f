import { BuildingIcon, ChartColumnIcon, MegaphoneIcon, TargetIcon } from "lucide-react";
import type { RouteObject } from "react-router";
import type { AdminPage } from "#web/features/admin/shared/admin-page.tsx";
import { page } from "#web/lib/page/page-route.ts";

/** Pages for advertisers, who have no account. */
export const partnerPages: RouteObject[] = [
  page(
    "/partner",
    "../../ads/admin/campaigns/shared-report-page.tsx",
    () => import("./campaigns/shared-report-page.tsx"),
  ),
];

/** Back-office pages for ads and campaigns. */
export const adPages: readonly AdminPage[] = [
  {
    href: "/admin/ads",
    label: "Advertisements",
    group: "Advertising",
    Icon: MegaphoneIcon,
    needs: "ads.read",
    file: "../../ads/admin/ads/page.tsx",
    load: () => import("./ads/page.tsx"),
  },
  {
    href: "/admin/campaigns",
    label: "Campaigns",
    group: "Advertising",
    Icon: TargetIcon,
    needs: "ads.read",
    file: "../../ads/admin/campaigns/page.tsx",
    load: () => import("./campaigns/page.tsx"),
  },
  {
    href: "/admin/campaigns/advertisers",
    label: "Advertisers",
    Icon: BuildingIcon,
    needs: "ads.read",
    file: "../../ads/admin/campaigns/advertisers-page.tsx",
    load: () => import("./campaigns/advertisers-page.tsx"),
  },
  {
    href: "/admin/campaigns/report",
    label: "Ad report",
    Icon: ChartColumnIcon,
    needs: "ads.read",
    file: "../../ads/admin/campaigns/report-page.tsx",
    load: () => import("./campaigns/report-page.tsx"),
  },
  {
    href: "/admin/campaigns/:id",
    file: "../../ads/admin/campaigns/details-page.tsx",
    load: () => import("./campaigns/details-page.tsx"),
  },
];
