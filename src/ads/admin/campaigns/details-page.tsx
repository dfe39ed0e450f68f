import { useQuery } from "@tanstack/react-query";
import { PencilIcon, PlusIcon } from "lucide-react";
import { useState } from "react";
import { Link, useParams } from "react-router";
import { Button, buttonClass } from "#web/components/ui/button.tsx";
import { Skeleton } from "#web/components/ui/states.tsx";
import { formatWhole } from "#web/lib/format/format.ts";
import {
  PageHeader,
  QueryError,
  adminHandle,
  useCan,
} from "#web/features/admin/shared/admin-page.tsx";
import type { CampaignDetails } from "../../contract/campaigns.ts";
import { CountTable } from "../ads/count-table.tsx";
import { placementLabels } from "../ads/messages.ts";
import { campaignsQuery } from "../ads/calls.ts";
import { campaignQuery, reportQuery } from "./calls.ts";
import { CampaignDialog } from "./campaign-dialog.tsx";
import {
  campaignMessages as messages,
  goalLabels,
  priceLabels,
  priorityLabels,
  rotationLabels,
} from "./messages.ts";
import { ReportChart, ReportTable, ReportTotals } from "./report-view.tsx";
import { StateBadge, datesOf, lacksAds, moneyText, SectionLinks } from "./campaign-facts.tsx";

export const handle = adminHandle("Campaign");

/** Page of one campaign: its rules, forecast, ads and statistics. */
export function Component() {
  const { id = "" } = useParams();
  return <CampaignPage key={id} id={id} />;
}

function CampaignPage({ id }: { id: string }) {
  const read = useQuery(campaignQuery(id));
  const campaigns = useQuery(campaignsQuery);
  const timeZone = campaigns.data?.timeZone;
  const report = useQuery(reportQuery({ days: "30", group: "day", campaign: id }));
  const can = useCan();
  const canEdit = can("ads.approve");
  const [isEdited, setEdited] = useState(false);

  if (read.isLoadingError) {
    return (
      <>
        <PageHeader title="Campaign" />
        <SectionLinks />
        <QueryError message={messages.loadFailed} query={read} />
      </>
    );
  }
  if (read.data === undefined) return <Skeleton className="h-96 w-full" />;
  const { campaign } = read.data;
  return (
    <>
      <PageHeader title={campaign.name} note={campaign.advertiserName}>
        <Link to={`/admin/ads?campaign=${campaign.id}`} className={buttonClass({})}>
          View all ads
        </Link>
        {can("ads.edit") ? (
          <Link to={`/admin/ads?campaign=${campaign.id}&new=1`} className={buttonClass({})}>
            <PlusIcon aria-hidden="true" className="size-4" />
            Add an ad
          </Link>
        ) : null}
        {canEdit ? (
          <Button onClick={() => setEdited(true)}>
            <PencilIcon aria-hidden="true" className="size-4" />
            Edit Campaign
          </Button>
        ) : null}
      </PageHeader>
      <SectionLinks />
      {campaigns.isLoadingError ? (
        <QueryError message={messages.loadFailed} query={campaigns} />
      ) : null}
      <div className="grid gap-8">
        <Facts details={read.data} timeZone={timeZone} />
        <AdRates details={read.data} />
        <section aria-labelledby="figures" className="grid gap-6">
          <h2 id="figures" className="font-semibold">
            Stats
          </h2>
          {report.isError ? <QueryError message={messages.reportFailed} query={report} /> : null}
          {report.isPending ? <Skeleton className="h-72 w-full" /> : null}
          {report.data === undefined ? null : (
            <>
              <ReportTotals report={report.data} />
              <ReportChart days={report.data} />
              <ReportTable report={report.data} heading="Day" unnamed="" />
            </>
          )}
        </section>
      </div>
      {isEdited && timeZone !== undefined ? (
        <CampaignDialog campaign={campaign} timeZone={timeZone} onClose={() => setEdited(false)} />
      ) : null}
    </>
  );
}

function Facts({
  details: { campaign },
  timeZone,
}: {
  details: CampaignDetails;
  timeZone: string | undefined;
}) {
  const { forecast, goalAmount, price, currency, budget } = campaign;
  const dates = datesOf(campaign, timeZone);
  /** Name, value, and explanation. */
  const facts = [
    ["Dates", dates === "" ? "–" : dates],
    ["Priority", priorityLabels[campaign.priority]],
    goalAmount === null
      ? ["Goal", goalLabels[campaign.goal]]
      : ["Goal", formatWhole(goalAmount), goalLabels[campaign.goal]],
    price === null
      ? ["Price", priceLabels[campaign.priceModel]]
      : ["Price", moneyText(price, currency), priceLabels[campaign.priceModel]],
    ["Budget", budget === null ? "–" : moneyText(budget, currency)],
    ["Ad rotation", rotationLabels[campaign.rotation]],
  ] as const;
  return (
    <section aria-label={messages.title} className="grid gap-4">
      <p>
        <StateBadge campaign={campaign} />
      </p>
      <dl className="grid grid-cols-2 gap-x-4 gap-y-3 sm:grid-cols-3 xl:grid-cols-6">
        {facts.map(([name, value, unit]) => (
          <div key={name}>
            <dt className="text-sm text-ink-11">{name}</dt>
            <dd className="tabular break-words">
              {value}
              <span className="block text-sm text-ink-11 empty:hidden">{unit}</span>
            </dd>
          </div>
        ))}
      </dl>
      <div className="rounded-md bg-ink-3 px-4 py-3">
        {lacksAds(campaign) ? (
          <p>Nothing is shown until this campaign has an ad.</p>
        ) : forecast === null ? (
          <p className="text-ink-11">
            To see a forecast, set a goal or a budget and both dates. The campaign must have
            started.
          </p>
        ) : (
          <>
            <p className="font-semibold">{messages.forecast(forecast.percent)}</p>
            <p className="text-ink-11">
              {messages.forecastMethod(
                formatWhole(forecast.expected),
                formatWhole(forecast.goal),
                forecast.elapsedPercent,
              )}
            </p>
          </>
        )}
      </div>
    </section>
  );
}

function AdRates({ details: { ads } }: { details: CampaignDetails }) {
  const percent = (value: number) => `${value.toFixed(2)}%`;
  if (ads.length === 0) return <p className="text-ink-11">No ads yet.</p>;
  return (
    // Focusable, so that it can be scrolled with the keyboard.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
    <section aria-label={messages.ads} tabIndex={0} className="grid gap-2 overflow-x-auto">
      <CountTable
        caption={messages.ads}
        heads={["Ad", "Impressions", "Clicks", "CTR", "95% interval"]}
        hiddenOnPhones="Clicks"
        rows={ads.map((ad) => ({
          key: ad.id,
          name: ad.title,
          note: [
            placementLabels[ad.placement],
            ad.isActive ? "" : "Inactive",
            ad.isApproved ? "" : "Waiting for approval",
          ]
            .filter((part) => part !== "")
            .join(" · "),
          values: [
            formatWhole(ad.impressions),
            formatWhole(ad.clicks),
            percent(ad.rate),
            `${percent(ad.rateFrom)} – ${percent(ad.rateTo)}`,
          ],
        }))}
      />
      <p className="text-sm text-ink-11">
        95% confidence intervals (Wilson). If two intervals overlap, the difference may be due to
        chance.
      </p>
    </section>
  );
}
