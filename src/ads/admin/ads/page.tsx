import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { PlusIcon } from "lucide-react";
import { useState } from "react";
import { limits } from "#contract/limits.ts";
import { Button, buttonClass } from "#web/components/ui/button.tsx";
import { confirmAction } from "#web/components/ui/confirm-dialog.tsx";
import { Pagination } from "#web/features/admin/shared/pagination.tsx";
import { EmptyState, Skeleton } from "#web/components/ui/states.tsx";
import { ApiError } from "#web/lib/api/http.ts";
import { DataTable } from "#web/features/admin/shared/data-table.tsx";
import {
  useLastPage,
  useListParams,
  type ListParams,
} from "#web/features/admin/shared/list-params.ts";
import {
  PageHeader,
  countNote,
  FailureBar,
  QueryError,
  adminHandle,
  useCan,
} from "#web/features/admin/shared/admin-page.tsx";
import { SelectField } from "#web/components/ui/field.tsx";
import { SearchField, FilterFold } from "#web/features/admin/shared/search-field.tsx";
import { Dialog } from "#web/components/ui/dialog.tsx";
import { formatWhole } from "#web/lib/format/format.ts";
import { DownloadLink } from "#web/features/admin/shared/file-button.tsx";
import { mightLackOrigins, clickThroughRate } from "../../contract/ad-rules.ts";
import type { Ad, AdCounts } from "../../contract/ads.ts";
import { originsOf } from "../../contract/html-sources.ts";
import type { Campaign } from "../../contract/campaigns.ts";
import { adColumns, adFailure, AdFailureLines, type AdFailure } from "./ad-columns.tsx";
import { AdDialog } from "./ad-dialog.tsx";
import {
  adListKey,
  adListQuery,
  adPageSize,
  readAdFilters,
  changeAd,
  deleteAd,
  setAdActive,
  adStatsQuery,
  campaignsQuery,
  statsCsvPath,
  statsDays,
} from "./calls.ts";
import {
  adMessages as messages,
  placementOptions,
  typeOptions,
  errorCauseLabels,
  originLabels,
  placementLabels,
} from "./messages.ts";
import { TesterDialog } from "./tester-dialog.tsx";
import { CountTable, MeasureChart } from "./count-table.tsx";

/** Statistics of one ad for the last 30 days: a chart, a table by placement and a CSV file. */
function StatsDialog({ ad, onClose }: { ad: Ad; onClose: () => void }) {
  const stats = useQuery(adStatsQuery(ad.id));
  return (
    <Dialog
      size="large"
      title={ad.title}
      description={stats.data && `Last ${statsDays} days, ${stats.data.timeZone} time`}
      onClose={onClose}
      footer={
        <DownloadLink href={statsCsvPath(ad.id)} className={buttonClass({})}>
          Export CSV
        </DownloadLink>
      }
    >
      {stats.isError ? <QueryError message="Couldn't load the statistics." query={stats} /> : null}
      {stats.isPending ? <Skeleton className="h-72 w-full" /> : null}
      {stats.data === undefined ? null : (
        <div className="grid gap-6">
          <Totals counts={stats.data.totals} />
          <Origins counts={stats.data.totals} />
          <MeasureChart
            days={stats.data.days.map((row) => ({ ...row, date: row.day }))}
            timeZone={stats.data.timeZone}
          />
          {stats.data.errorCauses.length === 0 ? null : (
            <CountTable
              caption="Errors by cause"
              heads={["Cause", "Errors"]}
              rows={stats.data.errorCauses.map(({ cause, count }) => ({
                ...errorCauseLabels[cause],
                values: [formatWhole(count)],
              }))}
            />
          )}
          {stats.data.placements.length === 0 ? null : (
            <CountTable
              caption="By placement"
              heads={["Placement", "Impressions", "Viewable", "Clicks", "Verified CTR"]}
              hiddenOnPhones="Viewable"
              rows={stats.data.placements.map((row) => ({
                name: placementLabels[row.placement],
                values: [
                  formatWhole(row.impressions),
                  formatWhole(row.viewable),
                  formatWhole(row.clicks),
                  rate(row),
                ],
              }))}
            />
          )}
          {stats.data.origins.every(({ origin }) => origin === "site") ? null : (
            <CountTable
              caption="By origin"
              heads={["Origin", "Impressions", "Viewable", "Clicks", "Verified CTR"]}
              hiddenOnPhones="Viewable"
              rows={stats.data.origins.map((row) => ({
                name: originLabels[row.origin],
                values: [
                  formatWhole(row.impressions),
                  formatWhole(row.viewable),
                  formatWhole(row.clicks),
                  rate(row),
                ],
              }))}
            />
          )}
        </div>
      )}
    </Dialog>
  );
}

/** Shows verified events beside unverified and bot events, which the totals don't include. */
function Origins({ counts }: { counts: AdCounts }) {
  const row = (name: string, note: string, impressions: number, clicks: number) => ({
    name,
    note,
    values: [formatWhole(impressions), formatWhole(clicks)],
  });
  const { unverifiedImpressions, unverifiedClicks, robotImpressions, robotClicks } = counts;
  return (
    <CountTable
      caption="Verified, unverified and bot events"
      heads={["Events", "Impressions", "Clicks"]}
      rows={[
        row(
          "Verified",
          "This site showed the ad to the visitor. Limits and CTR use these numbers.",
          counts.impressions,
          counts.clicks,
        ),
        row(
          "Unverified",
          "No proof that this site showed the ad.",
          unverifiedImpressions,
          unverifiedClicks,
        ),
        row(
          "Bots",
          "Automated clients, identified by their user agent.",
          robotImpressions,
          robotClicks,
        ),
      ]}
    />
  );
}

const rate = (counts: AdCounts) =>
  `${clickThroughRate(counts.clicks, counts.impressions).toFixed(2)}%`;

function Totals({ counts }: { counts: AdCounts }) {
  const facts = [
    ["Impressions", formatWhole(counts.impressions)],
    ["Viewable", formatWhole(counts.viewable)],
    ["Clicks", formatWhole(counts.clicks)],
    ["Verified CTR", rate(counts)],
    ["Completes", formatWhole(counts.completes)],
    ["Skips", formatWhole(counts.skips)],
  ] as const;
  return (
    <dl className="grid grid-cols-3 gap-x-4 gap-y-3 sm:grid-cols-6">
      {facts.map(([name, value]) => (
        <div key={name}>
          <dt className="text-sm text-ink-11">{name}</dt>
          <dd className="tabular text-lg font-semibold">{value}</dd>
        </div>
      ))}
    </dl>
  );
}

const activeOptions = [
  { value: "", label: "All statuses" },
  { value: "true", label: "Active" },
  { value: "false", label: "Inactive" },
] as const;

const filterNames = ["type", "placement", "campaign", "active"];

/** Filters for the ad list, stored in the URL. */
function AdFilters({ params, campaigns }: { params: ListParams; campaigns: readonly Campaign[] }) {
  const choice = (
    name: string,
    label: string,
    options: readonly { value: string; label: string }[],
  ) => (
    <SelectField
      label={label}
      isLabelHidden
      options={options}
      value={params.get(name)}
      onChange={(event) => params.set({ [name]: event.target.value })}
      className="sm:max-w-52 max-sm:w-[calc(50%-0.25rem)]"
    />
  );
  return (
    <div className="mb-3 flex flex-wrap items-center gap-2">
      <SearchField
        label="Search ads"
        placeholder="Search ads..."
        value={params.search}
        onValue={(search) => params.set({ search })}
        className="min-w-0 flex-1 sm:w-full sm:flex-none md:w-72"
      />
      <FilterFold activeCount={filterNames.filter((name) => params.get(name) !== "").length}>
        {choice("type", "Type", [{ value: "", label: "All types" }, ...typeOptions])}
        {choice("placement", "Placement", [
          { value: "", label: "All placements" },
          ...placementOptions,
        ])}
        {campaigns.length === 0
          ? null
          : choice("campaign", "Campaign", [
              { value: "", label: "All campaigns" },
              ...campaigns.map(({ id, name }) => ({ value: id, label: name })),
            ])}
        {choice("active", "Active", activeOptions)}
      </FilterFold>
    </div>
  );
}

export const handle = adminHandle("Advertisements");

type Open = { kind: "form"; ad: Ad | null; isCopy?: boolean } | { kind: "stats"; ad: Ad };

export function Component() {
  const params = useListParams(adPageSize);
  const filters = readAdFilters(params);
  const list = useQuery(adListQuery(filters, params));
  const can = useCan();
  const canEdit = can("ads.edit");
  const campaigns = useQuery(campaignsQuery);
  const [open, setOpen] = useState<Open | null>(() =>
    params.get("new") === "1" && canEdit ? { kind: "form", ad: null } : null,
  );
  const [testedUrl, setTestedUrl] = useState<string | null>(null);
  const [failure, setFailure] = useState<AdFailure | null>(null);
  const { toggleActive, approve, remove } = useAdChanges(setFailure);
  const names = new Map((campaigns.data?.campaigns ?? []).map(({ id, name }) => [id, name]));
  const columns = adColumns({
    timeZone: campaigns.data?.timeZone,
    campaignName: (ad) => (ad.campaignId === null ? null : (names.get(ad.campaignId) ?? null)),
    showStats: (ad) => setOpen({ kind: "stats", ad }),
    ...(canEdit
      ? {
          edit: (ad: Ad) => setOpen({ kind: "form", ad }),
          copy: (ad: Ad) => setOpen({ kind: "form", ad, isCopy: true }),
          toggleActive: (ad: Ad) => void toggleActive(ad),
        }
      : {}),
    ...(can("ads.approve")
      ? {
          approve: (ad: Ad) => approve(ad),
          remove: (ad: Ad) => void remove(ad),
        }
      : {}),
  });
  const total = list.data?.total ?? 0;
  useLastPage(params, params.pageSize, list.isPlaceholderData ? undefined : total);
  const shownFailure = list.isError ? { text: "Failed to fetch ads" } : failure;
  const isFiltered = Object.values(filters).some((value) => value !== undefined && value !== "");

  return (
    <>
      <PageHeader
        title="Advertisements"
        note={countNote(
          list,
          (data) => `Total: ${data.total.toLocaleString()} ${data.total === 1 ? "ad" : "ads"}`,
        )}
      >
        {canEdit ? (
          <>
            <Button onClick={() => setTestedUrl("")}>Test a VAST tag</Button>
            <Button kind="primary" onClick={() => setOpen({ kind: "form", ad: null })}>
              <PlusIcon aria-hidden="true" className="size-4" />
              Add Advertisement
            </Button>
          </>
        ) : null}
      </PageHeader>
      {shownFailure === null ? null : (
        <FailureBar
          action={list.isError ? "Try Again" : "Dismiss"}
          onAction={() => (list.isError ? void list.refetch() : setFailure(null))}
        >
          <AdFailureLines {...shownFailure} />
        </FailureBar>
      )}
      {campaigns.isLoadingError ? (
        <QueryError message="Couldn't load the campaigns." query={campaigns} />
      ) : null}
      <AdFilters params={params} campaigns={campaigns.data?.campaigns ?? []} />
      {list.isPending ? (
        <p role="status" className="py-3 text-ink-11">
          Loading ads...
        </p>
      ) : null}
      {list.data === undefined && list.isError ? null : (
        <DataTable
          label="Ads"
          columns={columns}
          rows={list.data?.ads}
          rowId={(ad) => ad.id}
          isStale={list.isPlaceholderData}
          empty={
            <EmptyState title="No ads found">
              {isFiltered
                ? "Try different filters."
                : "Create your first ad to show it on pages, in videos or in the feed."}
            </EmptyState>
          }
        />
      )}
      <div className="mt-4">
        <Pagination
          page={params.page}
          pageSize={params.pageSize}
          total={total}
          noun="ads"
          maxButtons={limits.paginationButtons}
          onPage={params.setPage}
        />
      </div>
      {open?.kind === "form" && campaigns.data !== undefined ? (
        <AdDialog
          timeZone={campaigns.data.timeZone}
          key={open.ad?.id ?? "new"}
          ad={open.ad}
          isCopy={open.isCopy}
          campaignId={filters.campaign}
          onClose={() => {
            setOpen(null);
            if (params.get("new") !== "") params.set({ new: null });
          }}
          onFailure={setFailure}
          onTest={setTestedUrl}
        />
      ) : null}
      {open?.kind === "stats" ? <StatsDialog ad={open.ad} onClose={() => setOpen(null)} /> : null}
      {testedUrl === null ? null : (
        <TesterDialog initialUrl={testedUrl} onClose={() => setTestedUrl(null)} />
      )}
    </>
  );
}

function useAdChanges(setFailure: (failure: AdFailure | null) => void) {
  const client = useQueryClient();
  const refresh = () => client.invalidateQueries({ queryKey: adListKey });

  const deleting = useMutation({
    mutationFn: (ad: Ad) => deleteAd(ad.id),
    onSuccess: () => setFailure(null),
    onError: (error) => setFailure(adFailure("Failed to delete ad", error)),
    onSettled: refresh,
  });
  const changing = useMutation({
    mutationFn: ({ id, isActive }: Ad) => setAdActive(id, !isActive),
    onSuccess: () => setFailure(null),
    onError: (error) => setFailure(adFailure(messages.saveFailed, error)),
    onSettled: refresh,
  });
  const approving = useMutation({
    // Sends the version, so that only the displayed ad is approved.
    mutationFn: (ad: Ad) => changeAd(ad, { isApproved: true }),
    onSuccess: () => setFailure(null),
    onError: (error) => {
      const isChanged = error instanceof ApiError && error.code === "edit_conflict";
      setFailure(
        isChanged
          ? { text: messages.saveFailed, reason: messages.changedSinceOpened }
          : adFailure(messages.saveFailed, error),
      );
    },
    onSettled: refresh,
  });
  async function toggleActive(ad: Ad): Promise<void> {
    const isAsked = !ad.isActive && mightLackOrigins(ad);
    const question = messages.confirmOrigins(originsOf(ad.content ?? ""));
    if (!isAsked || (await confirmAction(question, "Activate"))) {
      changing.mutate(ad);
    }
  }
  async function remove(ad: Ad): Promise<void> {
    if (await confirmAction("Are you sure you want to delete this ad?", "Delete", "danger"))
      deleting.mutate(ad);
  }

  return { toggleActive, remove, approve: (ad: Ad) => approving.mutate(ad) };
}
