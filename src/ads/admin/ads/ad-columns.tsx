import { ChartLineIcon, CodeIcon, CopyIcon, FilmIcon, ImageIcon } from "lucide-react";
import { Link } from "react-router";
import { clickThroughRate } from "../../contract/ad-rules.ts";
import type { Ad } from "../../contract/ads.ts";
import { Badge, badgeClass } from "#web/components/ui/badge.tsx";
import { Button } from "#web/components/ui/button.tsx";
import { classNames } from "#web/components/ui/class-names.ts";
import { formatWhole } from "#web/lib/format/format.ts";
import type { Column } from "#web/features/admin/shared/data-table.tsx";
import { DeleteButton, EditButton, IconButton } from "#web/features/admin/shared/icon-button.tsx";
import { placementLabels, typeLabels } from "./messages.ts";
import { momentWords } from "#web/features/admin/shared/moments.ts";
import { failureReason } from "#web/features/admin/shared/failure-text.ts";

/** Failure of an action on an ad, for the page's banner. */
export interface AdFailure {
  text: string;
  reason: string;
}

export const adFailure = (text: string, error: unknown): AdFailure => ({
  text,
  reason: failureReason(error),
});

/** Shows the text of a failure, and its reason in a line of its own. */
export function AdFailureLines({ text, reason }: { text: string; reason?: string }) {
  return (
    <div>
      <p>{text}</p>
      {reason === undefined ? null : <p className="text-sm">{reason}</p>}
    </div>
  );
}

export interface RowActions {
  /** Time zone of dates; undefined until it is known. */
  timeZone: string | undefined;
  showStats: (ad: Ad) => void;
  /** Null if the ad has no campaign. */
  campaignName: (ad: Ad) => string | null;
  /** Absent if the user lacks the permission. */
  edit?: (ad: Ad) => void;
  copy?: (ad: Ad) => void;
  toggleActive?: (ad: Ad) => void;
  remove?: (ad: Ad) => void;
  approve?: (ad: Ad) => void;
}

const rateText = (percent: number) => `${percent.toFixed(2)}%`;

/** Describes when an ad starts, ends or has ended. An active ad may not be running. */
function datesOf(ad: Ad, nowMs: number, timeZone: string | undefined): string {
  const { startDate, endDate } = ad;
  if (startDate !== null && Date.parse(startDate) > nowMs) {
    return `From ${momentWords(startDate, timeZone)}`;
  }
  if (endDate === null) return "";
  const end = momentWords(endDate, timeZone);
  return Date.parse(endDate) <= nowMs ? `Ended ${end}` : `Until ${end}`;
}

/** Shows a number. The verified one is only shown if it differs. */
function Count({ value, verified }: { value: string; verified: string }) {
  return (
    <>
      {value}
      {verified === value ? null : (
        <span className="block text-xs text-ink-11"> {verified} verified</span>
      )}
    </>
  );
}

/**
 * Shows the image or video of an ad. Ads with HTML or with files on other servers get an icon,
 * because requests for those files would reveal the back office.
 */
function CreativePicture({ ad: { type, imageUrl, vastTagUrl } }: { ad: Ad }) {
  const className = "h-9 w-16 shrink-0 rounded-sm bg-ink-4 object-contain";
  if (imageUrl?.startsWith("/") === true) {
    return (
      <img
        src={imageUrl}
        alt=""
        loading="lazy"
        referrerPolicy="no-referrer"
        className={className}
      />
    );
  }
  if (type === "video" && vastTagUrl !== null && /^\/.*\.(?:mp4|webm)$/i.test(vastTagUrl)) {
    return (
      <video
        src={`${vastTagUrl}#t=1`}
        muted
        playsInline
        preload="metadata"
        aria-hidden="true"
        tabIndex={-1}
        className={className}
      />
    );
  }
  const Icon = type === "video" ? FilmIcon : imageUrl === null ? CodeIcon : ImageIcon;
  return (
    <span aria-hidden="true" className={classNames(className, "grid place-items-center")}>
      <Icon className="size-4 text-ink-11" />
    </span>
  );
}

function AdStatus({
  ad,
  dates,
  toggleActive,
  approve,
}: { ad: Ad; dates: string } & Pick<RowActions, "toggleActive" | "approve">) {
  return (
    <div className="flex flex-wrap items-center gap-1.5">
      {toggleActive === undefined ? (
        <Badge tone={ad.isActive ? "done" : "neutral"}>{ad.isActive ? "Active" : "Inactive"}</Badge>
      ) : (
        <button
          type="button"
          title={ad.isActive ? "Deactivate" : "Activate"}
          className={classNames(
            badgeClass(ad.isActive ? "done" : "neutral"),
            "relative min-h-7 ring-1 ring-current/40 ring-inset after:absolute after:-inset-2 hover:ring-current",
          )}
          onClick={() => toggleActive(ad)}
        >
          {ad.isActive ? "Active" : "Inactive"}
        </button>
      )}
      {ad.isApproved ? null : <Badge tone="danger">Waiting for approval</Badge>}
      {ad.isApproved || approve === undefined ? null : (
        <Button size="small" aria-label={`Approve ${ad.title}`} onClick={() => approve(ad)}>
          Approve
        </Button>
      )}
      {ad.trust === "page" ? <Badge tone="danger">Trusted</Badge> : null}
      {ad.isHouse ? <Badge>House</Badge> : null}
      <span className="tabular basis-full text-xs text-ink-11 empty:hidden">{dates}</span>
    </div>
  );
}

function AdActions({
  ad,
  showStats,
  edit,
  copy,
  remove,
}: { ad: Ad } & Pick<RowActions, "showStats" | "edit" | "copy" | "remove">) {
  return (
    <div className="-mx-2 flex">
      <IconButton
        Icon={ChartLineIcon}
        name="Statistics"
        label={`Statistics for ${ad.title}`}
        onClick={() => showStats(ad)}
      />
      {edit === undefined ? null : <EditButton of={ad.title} onClick={() => edit(ad)} />}
      {copy === undefined ? null : (
        <IconButton
          Icon={CopyIcon}
          name="Copy"
          label={`Copy ${ad.title}`}
          onClick={() => copy(ad)}
        />
      )}
      {remove === undefined ? null : <DeleteButton of={ad.title} onClick={() => remove(ad)} />}
    </div>
  );
}

export function adColumns(actions: RowActions): Column<Ad>[] {
  const { showStats, campaignName, edit } = actions;
  return [
    {
      id: "ad",
      title: "Ad",
      cell: (ad) => (
        <div className="flex min-w-0 items-center gap-3">
          <CreativePicture ad={ad} />
          <div className="min-w-0">
            <button
              type="button"
              className="relative block max-w-full text-start font-medium hover:underline after:absolute after:-inset-2"
              onClick={() => (edit ?? showStats)(ad)}
            >
              <span className="title-lines">{ad.title}</span>
            </button>
            {ad.description === null ? null : (
              <p className="wrap-anywhere text-ink-11 md:truncate">{ad.description}</p>
            )}
          </div>
        </div>
      ),
    },
    {
      id: "placement",
      title: "Placement",
      isWrapping: true,
      cell: (ad) => (
        <span>
          {typeLabels[ad.type]}
          <span className="text-ink-11"> · {placementLabels[ad.placement]}</span>
        </span>
      ),
    },
    {
      id: "campaign",
      title: "Campaign",
      className: "max-xl:hidden",
      isWrapping: true,
      cell: (ad) => {
        const name = campaignName(ad);
        return ad.campaignId === null || name === null ? (
          <span className="text-ink-11">–</span>
        ) : (
          <Link
            to={`/admin/campaigns/${ad.campaignId}`}
            className="relative inline-block wrap-anywhere hover:underline after:absolute after:-inset-2"
          >
            {name}
          </Link>
        );
      },
    },
    {
      id: "status",
      title: "Status",
      isWrapping: true,
      cell: (ad) => (
        <AdStatus ad={ad} dates={datesOf(ad, Date.now(), actions.timeZone)} {...actions} />
      ),
    },
    {
      id: "impressions",
      title: "Impressions",
      isNumeric: true,
      cell: (ad) => (
        <Count
          value={formatWhole(ad.impressionCount)}
          verified={formatWhole(ad.verifiedImpressionCount)}
        />
      ),
    },
    {
      id: "clicks",
      title: "Clicks",
      isNumeric: true,
      cell: (ad) => (
        <Count value={formatWhole(ad.clickCount)} verified={formatWhole(ad.verifiedClickCount)} />
      ),
    },
    {
      id: "ctr",
      title: "CTR",
      // Hidden on tablets to save space. The statistics dialog also shows it.
      className: "md:max-lg:hidden",
      isNumeric: true,
      // Reports only count verified events, so their rate may differ.
      cell: (ad) => (
        <Count
          value={rateText(ad.ctr)}
          verified={rateText(clickThroughRate(ad.verifiedClickCount, ad.verifiedImpressionCount))}
        />
      ),
    },
    {
      id: "actions",
      title: "Actions",
      cell: (ad) => <AdActions ad={ad} {...actions} />,
    },
  ];
}
