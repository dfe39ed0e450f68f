import { useMutation, useQuery } from "@tanstack/react-query";
import { ChartColumnIcon, CopyIcon, PlusIcon, TargetIcon } from "lucide-react";
import { useState } from "react";
import { Link } from "react-router";
import { Badge } from "#web/components/ui/badge.tsx";
import { classNames } from "#web/components/ui/class-names.ts";
import { Button, buttonClass } from "#web/components/ui/button.tsx";
import { confirmAction } from "#web/components/ui/confirm-dialog.tsx";
import { SelectField } from "#web/components/ui/field.tsx";
import { EmptyState } from "#web/components/ui/states.tsx";
import { formatWhole } from "#web/lib/format/format.ts";
import { DataTable, type Column } from "#web/features/admin/shared/data-table.tsx";
import { DeleteButton, EditButton, IconButton } from "#web/features/admin/shared/icon-button.tsx";
import { useListParams } from "#web/features/admin/shared/list-params.ts";
import { SearchField } from "#web/features/admin/shared/search-field.tsx";
import {
  PageHeader,
  countNote,
  adminHandle,
  useCan,
} from "#web/features/admin/shared/admin-page.tsx";
import { EmptyIntro } from "#web/features/admin/shared/empty-intro.tsx";
import { campaignStates, type Campaign } from "../../contract/campaigns.ts";
import { campaignsKey, campaignsQuery } from "../ads/calls.ts";
import { deleteCampaign } from "./calls.ts";
import { CampaignDialog } from "./campaign-dialog.tsx";
import {
  campaignMessages as messages,
  optionsOf,
  priorityLabels,
  stateLabels,
} from "./messages.ts";
import { StateBadge, datesOf, lacksAds, moneyText, SectionLinks } from "./campaign-facts.tsx";

export const handle = adminHandle(messages.title);

/** Page with all campaigns. */
export function Component() {
  const list = useQuery(campaignsQuery);
  const canEdit = useCan()("ads.approve");
  const params = useListParams();
  const [edited, setEdited] = useState<Edited | null>(null);
  const state = campaignStates.find((each) => each === params.get("state"));
  const words = params.search.toLowerCase().split(/\s+/);
  const shown = list.data?.campaigns.filter(
    (campaign) =>
      (state === undefined || campaign.state === state) &&
      words.every((word) =>
        `${campaign.name} ${campaign.advertiserName}`.toLowerCase().includes(word),
      ),
  );
  const removing = useMutation({
    mutationFn: (campaign: Campaign) => deleteCampaign(campaign.id),
    meta: { failure: messages.deleteFailed, refreshes: campaignsKey },
  });
  const remove = async (campaign: Campaign) => {
    if (await confirmAction(messages.askDelete(campaign.name), "Delete", "danger"))
      removing.mutate(campaign);
  };

  return (
    <>
      <PageHeader
        title={messages.title}
        note={countNote(list, ({ campaigns }) => messages.total(campaigns.length))}
      >
        {canEdit ? (
          <Button kind="primary" onClick={() => setEdited({ campaign: null })}>
            <PlusIcon aria-hidden="true" className="size-4" />
            Add Campaign
          </Button>
        ) : null}
      </PageHeader>
      <SectionLinks />
      <div className="mb-3 flex flex-wrap items-center gap-2">
        <SearchField
          label="Search campaigns"
          placeholder="Search campaigns..."
          value={params.search}
          onValue={(search) => params.set({ search })}
          className="w-full md:w-72"
        />
        <SelectField
          label="Status"
          isLabelHidden
          options={[{ value: "", label: "All statuses" }, ...optionsOf(stateLabels)]}
          value={state ?? ""}
          onChange={(event) => params.set({ state: event.target.value })}
        />
      </div>
      <DataTable
        query={list}
        failed={messages.loadFailed}
        label={messages.title}
        columns={campaignColumns(
          list.data?.timeZone,
          canEdit
            ? {
                edit: (campaign) => setEdited({ campaign }),
                copy: (campaign) => setEdited({ campaign, isCopy: true }),
                remove: (each) => void remove(each),
              }
            : null,
        )}
        rows={shown}
        rowId={(campaign) => campaign.id}
        empty={
          list.data?.campaigns.length === 0 ? (
            <EmptyIntro
              Icon={TargetIcon}
              title="No campaigns yet"
              text="A campaign groups ads of one advertiser. They share its dates, goal, price and targets."
              example="Acme books 100,000 impressions in October at 5 EUR per thousand. Its three banners share that goal."
              docs="docs/behaviour/ads.md"
            >
              {canEdit ? (
                <Link to="/admin/campaigns/advertisers" className={buttonClass({})}>
                  Start with an advertiser
                </Link>
              ) : null}
            </EmptyIntro>
          ) : (
            <EmptyState title="No campaigns found">Try another search or status.</EmptyState>
          )
        }
      />
      {edited === null || list.data === undefined ? null : (
        <CampaignDialog
          timeZone={list.data.timeZone}
          campaign={edited.campaign}
          isCopy={edited.isCopy}
          onClose={() => setEdited(null)}
        />
      )}
    </>
  );
}

interface Edited {
  /** Null for a new one. */
  campaign: Campaign | null;
  isCopy?: boolean;
}

type Action = (campaign: Campaign) => void;

function campaignColumns(
  timeZone: string | undefined,
  actions: { edit: Action; copy: Action; remove: Action } | null,
): Column<Campaign>[] {
  return [
    {
      id: "campaign",
      title: "Campaign",
      cell: (campaign) => (
        <div className="min-w-0">
          <Link
            to={`/admin/campaigns/${campaign.id}`}
            className="relative inline-block max-w-full font-medium wrap-anywhere hover:underline after:absolute after:-inset-2"
          >
            {campaign.name}
          </Link>
          <p className="wrap-anywhere text-ink-11">{campaign.advertiserName}</p>
        </div>
      ),
    },
    {
      id: "status",
      title: "Status",
      isWrapping: true,
      cell: (campaign) => (
        <div className="flex flex-wrap gap-1.5">
          <StateBadge campaign={campaign} />
          <Badge>{priorityLabels[campaign.priority]}</Badge>
          <span className="tabular basis-full text-xs text-ink-11 empty:hidden">
            {datesOf(campaign, timeZone)}
          </span>
        </div>
      ),
    },
    {
      id: "pace",
      title: "Pace",
      isWrapping: true,
      cell: (campaign) =>
        campaign.forecast === null || lacksAds(campaign) ? (
          <span className="text-ink-11">–</span>
        ) : (
          <span className="tabular">{messages.forecast(campaign.forecast.percent)}</span>
        ),
    },
    {
      id: "impressions",
      title: "Impressions",
      isNumeric: true,
      cell: ({ impressions }) => formatWhole(impressions),
    },
    {
      id: "revenue",
      title: "Revenue",
      isNumeric: true,
      cell: ({ revenue, currency, priceModel }) =>
        priceModel === "none" ? "–" : moneyText(revenue, currency),
    },
    {
      id: "actions",
      title: "Actions",
      cell: (campaign) => (
        <div className="-mx-2 flex">
          <Link
            to={`/admin/campaigns/report?campaign=${campaign.id}`}
            aria-label={`Report of ${campaign.name}`}
            data-name="Report"
            className={classNames(buttonClass({ kind: "ghost", isSquare: true }), "icon-name")}
          >
            <ChartColumnIcon aria-hidden="true" className="size-4" />
          </Link>
          {actions === null ? null : (
            <>
              <EditButton of={campaign.name} onClick={() => actions.edit(campaign)} />
              <IconButton
                Icon={CopyIcon}
                name="Copy"
                label={`Copy ${campaign.name}`}
                onClick={() => actions.copy(campaign)}
              />
              <DeleteButton of={campaign.name} onClick={() => actions.remove(campaign)} />
            </>
          )}
        </div>
      ),
    },
  ];
}
