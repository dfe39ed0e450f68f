import { useQuery } from "@tanstack/react-query";
import { adPlacements } from "../../contract/ads.ts";
import { reportGroups } from "../../contract/campaigns.ts";
import { buttonClass } from "#web/components/ui/button.tsx";
import { SelectField } from "#web/components/ui/field.tsx";
import { Skeleton } from "#web/components/ui/skeleton.tsx";
import { ErrorState } from "#web/components/ui/states.tsx";
import { placementOptions } from "../ads/messages.ts";
import { adminHandle } from "#web/features/admin/shared/admin-handle.ts";
import { useListParams } from "#web/features/admin/shared/list-params.ts";
import { PageHeader } from "#web/features/admin/shared/page-header.tsx";
import {
  advertisersQuery,
  campaignsQuery,
  reportCsvPath,
  reportQuery,
} from "./api/campaign-calls.ts";
import { campaignMessages as messages, groupLabels, optionsOf } from "./messages.ts";
import { ReportChart, ReportTable, ReportTotals } from "./report-view.tsx";
import { SectionLinks } from "./section-links.tsx";

export const handle = adminHandle(messages.report);

const dayOptions = ["7", "30", "90", "366"].map((value) => ({
  value,
  label: `Last ${value} days`,
}));

/** Report page for the site, an advertiser, a campaign or a placement. */
export function Component() {
  const params = useListParams();
  const advertisers = useQuery(advertisersQuery);
  const campaigns = useQuery(campaignsQuery);
  const group = reportGroups.find((each) => each === params.get("group")) ?? "campaign";
  const filters = {
    days: dayOptions.find(({ value }) => value === params.get("days"))?.value ?? "30",
    advertiser: params.get("advertiser"),
    campaign: params.get("campaign"),
    placement: adPlacements.find((each) => each === params.get("placement")) ?? "",
  };
  const table = useQuery(reportQuery({ ...filters, group }));
  const days = useQuery(reportQuery({ ...filters, group: "day" }));

  const choice = (
    name: string,
    label: string,
    value: string,
    options: readonly { value: string; label: string }[],
  ) => (
    <SelectField
      label={label}
      isLabelHidden
      options={options}
      value={value}
      onChange={(event) => params.set({ [name]: event.target.value })}
      className="min-w-0 sm:max-w-60"
    />
  );
  const named = (rows: readonly { id: string; name: string }[] | undefined) =>
    (rows ?? []).map(({ id, name }) => ({ value: id, label: name }));

  return (
    <>
      <PageHeader title={messages.report}>
        <a
          href={reportCsvPath({ ...filters, group })}
          download="ad-report.csv"
          className={buttonClass({})}
        >
          Export CSV
        </a>
      </PageHeader>
      <SectionLinks />
      <div className="mb-5 grid grid-cols-2 gap-2 *:first:col-span-2 sm:flex sm:flex-wrap">
        {choice("days", "Days", filters.days, dayOptions)}
        {choice("group", "Rows", group, optionsOf(groupLabels))}
        {choice("advertiser", "Advertiser", filters.advertiser, [
          { value: "", label: "All advertisers" },
          ...named(advertisers.data),
        ])}
        {choice("campaign", "Campaign", filters.campaign, [
          { value: "", label: "All campaigns" },
          ...named(campaigns.data),
        ])}
        {choice("placement", "Placement", filters.placement, [
          { value: "", label: "All placements" },
          ...placementOptions,
        ])}
      </div>
      {table.isError || days.isError ? (
        <ErrorState
          message={messages.reportFailed}
          retryLabel="Try Again"
          onRetry={() => void Promise.all([table.refetch(), days.refetch()])}
          isBusy={table.isFetching || days.isFetching}
        />
      ) : table.data === undefined || days.data === undefined ? (
        <Skeleton className="h-96 w-full" />
      ) : (
        <div className="grid gap-6">
          <ReportTotals report={table.data} />
          <ReportChart days={days.data} />
          <ReportTable
            report={table.data}
            heading={groupLabels[group]}
            unnamed="Ads without a campaign"
          />
        </div>
      )}
    </>
  );
}
