import { Badge, type BadgeTone } from "#web/components/ui/badge.tsx";
import { dayWords } from "#web/features/admin/shared/moments.ts";
import type { CampaignState, Campaign, Money } from "../../contract/campaigns.ts";
import { stateLabels, campaignMessages as messages } from "./messages.ts";
import { Link, useLocation } from "react-router";
import { buttonClass } from "#web/components/ui/button.tsx";

/** Formats an amount. Unknown currency codes stay unchanged. */
export const moneyText = (amount: number, currency: string): string =>
  new Intl.NumberFormat(undefined, { style: "currency", currency }).format(amount);

export const sumText = (sums: readonly Money[], field: "amount" | "ecpm"): string =>
  sums.length === 0 ? "–" : sums.map((sum) => moneyText(sum[field], sum.currency)).join(" + ");

/** Formats the dates of a campaign. Returns an empty text if it has none. */
export function datesOf({ startDate, endDate }: Campaign, timeZone: string | undefined): string {
  const [from, to] = [startDate, endDate].map((date) =>
    date === null ? "" : dayWords(date, timeZone),
  );
  return startDate === null && endDate === null ? "" : `${from} – ${to}`;
}

const tones: Record<CampaignState, BadgeTone> = {
  draft: "neutral",
  scheduled: "lamp",
  running: "done",
  paused: "neutral",
  completed: "neutral",
};

/** Returns whether a campaign runs, but has no ad to show. */
export const lacksAds = ({ state, adCount }: Campaign): boolean =>
  state === "running" && adCount === 0;

/** Green only while the campaign can show its ads. */
export function StateBadge({ campaign }: { campaign: Campaign }) {
  if (lacksAds(campaign)) return <Badge tone="lamp">{messages.noAds}</Badge>;
  const { state } = campaign;
  return <Badge tone={tones[state]}>{stateLabels[state]}</Badge>;
}

const pages = [
  { href: "/admin/campaigns", label: messages.title },
  { href: "/admin/campaigns/advertisers", label: messages.advertisers },
  { href: "/admin/campaigns/report", label: messages.report },
];

/** Links between the campaign pages, which share one entry of the side menu. */
export function SectionLinks() {
  const { pathname } = useLocation();
  // The page of a single campaign counts as part of the list.
  const current = pages.findLast(({ href }) => pathname.startsWith(href));
  return (
    <nav aria-label={messages.title} className="mb-4 flex flex-wrap gap-1">
      {pages.map((page) => (
        <Link
          key={page.href}
          to={page.href}
          aria-current={pathname === page.href ? "page" : undefined}
          className={buttonClass({ kind: page === current ? "quiet" : "ghost", size: "small" })}
        >
          {page.label}
        </Link>
      ))}
    </nav>
  );
}
