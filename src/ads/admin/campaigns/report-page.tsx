import { useQuery } from "@tanstack/react-query";
import { buttonClass } from "#web/components/ui/button.tsx";
import { SelectField, TextField } from "#web/components/ui/field.tsx";
import { Skeleton } from "#web/components/ui/states.tsx";
import { issueOf } from "#web/lib/api/failures.ts";
import { useListParams, type ListParams } from "#web/features/admin/shared/list-params.ts";
import { PageHeader, QueryError, adminHandle } from "#web/features/admin/shared/admin-page.tsx";
import { DownloadLink } from "#web/features/admin/shared/file-button.tsx";
import { adOrigins, adPlacements } from "../../contract/ads.ts";
import { reportGroups } from "../../contract/campaigns.ts";
import { addDays, dayIn } from "../../contract/site-zone.ts";
import { originOptions, placementOptions } from "../ads/messages.ts";
import { campaignsQuery } from "../ads/calls.ts";
import { advertisersQuery, reportCsvPath, reportQuery } from "./calls.ts";
import { campaignMessages as messages, groupLabels, optionsOf } from "./messages.ts";
import { ReportChart, ReportTable, ReportTotals } from "./report-view.tsx";
import { SectionLinks } from "./campaign-facts.tsx";

export const handle = adminHandle(messages.report);

const dayOptions = ["7", "30", "90", "366"].map((value) => ({
  value,
  label: `Last ${value} days`,
}));
const custom = "custom";
const shownMonths = 12;
const monthFormat = new Intl.DateTimeFormat(undefined, {
  month: "long",
  year: "numeric",
  timeZone: "UTC",
});

/** Returns this month and the previous ones, such as `2026-05`. */
function monthOptions(timeZone: string) {
  const today = dayIn(timeZone, Date.now());
  return Array.from({ length: shownMonths }, (_, back) => {
    const first = new Date(`${today.slice(0, 7)}-01`);
    first.setUTCMonth(first.getUTCMonth() - back);
    return { value: first.toISOString().slice(0, 7), label: monthFormat.format(first) };
  });
}

/** Returns the chosen date range: the last days, a month, or two dates in either order. */
function rangeOf(params: ListParams) {
  const days = params.get("days");
  if (/^\d{4}-(0[1-9]|1[0-2])$/.test(days)) {
    const nextMonth = new Date(`${days}-01`);
    nextMonth.setUTCMonth(nextMonth.getUTCMonth() + 1);
    const to = addDays(nextMonth.toISOString().slice(0, 10), -1);
    return { chosen: days, range: { from: `${days}-01`, to } };
  }
  const [from = "", to = ""] = [params.get("from"), params.get("to")].toSorted();
  if (days === custom && from !== "") return { chosen: custom, range: { from, to } };
  const known = dayOptions.find(({ value }) => value === days)?.value ?? "30";
  return { chosen: days === custom ? custom : known, range: { days: known } };
}

/** Report page for the site, an advertiser, a campaign, a placement or an origin. */
export function Component() {
  const params = useListParams();
  const advertisers = useQuery(advertisersQuery);
  const campaigns = useQuery(campaignsQuery);
  const group = reportGroups.find((each) => each === params.get("group")) ?? "campaign";
  const { chosen, range } = rangeOf(params);
  const filters = {
    ...range,
    advertiser: params.get("advertiser"),
    campaign: params.get("campaign"),
    placement: adPlacements.find((each) => each === params.get("placement")) ?? "",
    origin: adOrigins.find((each) => each === params.get("origin")) ?? "",
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
  const date = (name: "from" | "to", label: string) => (
    <TextField
      label={label}
      type="date"
      value={params.get(name)}
      error={issueOf(table.error, name)}
      onChange={(event) => params.set({ [name]: event.target.value })}
    />
  );
  const isDateRefused = ["from", "to"].some((name) => issueOf(table.error, name) !== null);
  const named = (rows: readonly { id: string; name: string }[] | undefined) =>
    (rows ?? []).map(({ id, name }) => ({ value: id, label: name }));

  return (
    <>
      <PageHeader title={messages.report}>
        <DownloadLink
          href={reportCsvPath({ ...filters, group })}
          download="ad-report.csv"
          className={buttonClass({})}
        >
          Export CSV
        </DownloadLink>
      </PageHeader>
      <SectionLinks />
      <div className="mb-5 grid grid-cols-2 gap-2 *:first:col-span-2 sm:flex sm:flex-wrap">
        {choice("days", "Days", chosen, [
          ...dayOptions,
          ...monthOptions(table.data?.timeZone ?? "UTC"),
          { value: custom, label: "Custom dates" },
        ])}
        {choice("group", "Rows", group, optionsOf(groupLabels))}
        {choice("advertiser", "Advertiser", filters.advertiser, [
          { value: "", label: "All advertisers" },
          ...named(advertisers.data),
        ])}
        {choice("campaign", "Campaign", filters.campaign, [
          { value: "", label: "All campaigns" },
          ...named(campaigns.data?.campaigns),
        ])}
        {choice("placement", "Placement", filters.placement, [
          { value: "", label: "All placements" },
          ...placementOptions,
        ])}
        {choice("origin", "Origin", filters.origin, [
          { value: "", label: "All origins" },
          ...originOptions,
        ])}
      </div>
      {chosen === custom ? (
        <div className="mb-5 grid grid-cols-2 gap-2 sm:flex">
          {date("from", "First day")}
          {date("to", "Last day")}
        </div>
      ) : null}
      {!isDateRefused && (table.isError || days.isError) ? (
        <QueryError
          message={messages.reportFailed}
          query={{
            data: table.data && days.data,
            refetch: () => Promise.all([table.refetch(), days.refetch()]),
            isFetching: table.isFetching || days.isFetching,
          }}
        />
      ) : null}
      {table.data !== undefined && days.data !== undefined ? (
        <div className="grid gap-6">
          <ReportTotals report={table.data} />
          <ReportChart days={days.data} />
          <ReportTable
            report={table.data}
            heading={groupLabels[group]}
            unnamed={group === "placement" ? "No placement" : "Ads without a campaign"}
          />
        </div>
      ) : table.isError || days.isError ? null : (
        <Skeleton className="h-96 w-full" />
      )}
    </>
  );
}
