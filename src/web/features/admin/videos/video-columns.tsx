import { CalendarClockIcon, EyeIcon, EyeOffIcon, EllipsisVerticalIcon } from "lucide-react";
import { useNavigate } from "react-router";
import { countOf } from "#web/lib/format/english-counts.ts";
import type { Video } from "#contract/videos/videos.ts";
import { badgeClass, Badge } from "#web/components/ui/badge.tsx";
import { classNames } from "#web/components/ui/class-names.ts";
import { buttonClass } from "#web/components/ui/button.tsx";
import { Menu, type MenuEntry } from "#web/components/ui/menu.tsx";
import type { Column } from "../shared/data-table.tsx";
import type { Can } from "../shared/admin-page.tsx";
import { DeleteButton, EditButton, IconButton } from "../shared/icon-button.tsx";
import { createdDate, momentWords } from "../shared/moments.ts";
import { ProcessingNote, MediaNotices } from "./processing-note.tsx";
import { VisibilityBadge } from "./visibility-dialog.tsx";
import { Thumbnail } from "./thumbnail.tsx";

interface RowMenuActions {
  schedule: (video: Video) => void;
  unschedule: (video: Video) => void;
  changeThumbnail: (video: Video) => void;
  restrict: (video: Video) => void;
  changeVisibility: (video: Video) => void;
  retry: (video: Video) => void;
}

/** Menu with less frequent actions on a video. */
function RowMenu({ video, actions, can }: { video: Video; actions: RowMenuActions; can: Can }) {
  const navigate = useNavigate();
  const entries: MenuEntry[] = [
    {
      label: "View on site",
      onSelect: () => window.open(`/video/${video.slug}`, "_blank", "noopener"),
      isDisabled: video.status !== "ready",
    },
  ];
  if (can("content.edit")) {
    entries.push({ label: "Change thumbnail", onSelect: () => actions.changeThumbnail(video) });
    entries.push({
      label: "Add captions",
      onSelect: () => void navigate(`/admin/videos/${video.id}?captions=add`),
    });
    entries.push({ label: "Restrictions", onSelect: () => actions.restrict(video) });
  }
  if (can("content.publish")) {
    entries.push({ label: "Visibility", onSelect: () => actions.changeVisibility(video) });
  }
  if (can("content.publish") && !video.isPublished) {
    const isPlanned = video.publishAt != null;
    entries.push({
      label: isPlanned ? "Change schedule" : "Schedule publishing",
      onSelect: () => actions.schedule(video),
    });
    if (isPlanned)
      entries.push({ label: "Remove schedule", onSelect: () => actions.unschedule(video) });
  }
  if (can("content.edit") && video.status === "failed") {
    entries.push({ label: "Retry processing", onSelect: () => actions.retry(video) });
  }
  return (
    <Menu
      label={`More actions for ${video.title}`}
      triggerClassName={buttonClass({ kind: "ghost", isSquare: true })}
      trigger={<EllipsisVerticalIcon aria-hidden="true" className="size-4" />}
      entries={entries}
    />
  );
}

export interface RowActions extends RowMenuActions {
  edit: (video: Video) => void;
  togglePublished: (video: Video) => void;
  remove: (video: Video) => void;
}

/** Returns the first two names and the number of remaining ones. */
function categorySummary(video: Video): string {
  const names = video.categories.map(({ category }) => category.name);
  const rest = names.length - 2;
  return names.slice(0, 2).join(", ") + (rest > 0 ? ` +${rest}` : "");
}

function StatusCell({ video, actions, can }: { video: Video; actions: RowActions; can: Can }) {
  return (
    <div className="flex flex-wrap items-center gap-1.5">
      <button
        type="button"
        disabled={!can("content.publish")}
        className={classNames(
          badgeClass(video.isPublished ? "done" : "neutral"),
          "relative min-h-7 after:absolute after:-inset-2 enabled:ring-1 enabled:ring-current/40 enabled:ring-inset enabled:hover:ring-current",
        )}
        title={video.isPublished ? "Unpublish" : "Publish"}
        onClick={() => actions.togglePublished(video)}
      >
        {video.isPublished ? "Published" : "Draft"}
      </button>
      <VisibilityBadge video={video} />
      {video.isPremium ? <Badge tone="lamp">Premium</Badge> : null}
      {video.publishAt == null ? null : (
        <span className="tabular flex basis-full items-center gap-1 text-xs text-ink-11">
          <CalendarClockIcon aria-hidden="true" className="size-3.5" />
          {`Scheduled · ${momentWords(video.publishAt)}`}
        </span>
      )}
    </div>
  );
}

export function videoColumns(can: Can, actions: RowActions): Column<Video>[] {
  return [
    {
      id: "title",
      title: "Video",
      isSortable: true,
      skeletonClassName: "h-11 w-56",
      cell: (video) => (
        <div className="flex min-w-0 items-center gap-3">
          {/* The title beside it is the same link. */}
          <a href={`/admin/videos/${video.id}`} tabIndex={-1} aria-hidden="true">
            <Thumbnail src={video.thumbnail} durationS={video.duration} className="w-20 shrink-0" />
          </a>
          <div className="min-w-0 flex-1">
            <a
              href={`/admin/videos/${video.id}`}
              className="title-lines max-w-full font-medium hover:underline"
            >
              {video.title}
            </a>
            {video.clipOf === undefined ? null : (
              <p className="title-lines text-xs text-ink-11">
                {"From: "}
                <bdi>{video.clipOf.title}</bdi>
              </p>
            )}
            {/* Replaces the separate columns on narrow screens. */}
            <p className="tabular wrap-anywhere text-ink-11 xl:hidden">
              {[categorySummary(video), createdDate(video.createdAt)].filter(Boolean).join(" · ")}
            </p>
            <MediaNotices video={video} className="title-lines mt-0.5 text-xs" />
            <ProcessingNote
              video={video}
              onRetry={can("content.edit") ? () => actions.retry(video) : null}
            />
          </div>
        </div>
      ),
    },
    {
      id: "views",
      title: "Stats",
      isSortable: true,
      // Leaves space for seven digits beside the words.
      cell: (video) => (
        <div className="tabular whitespace-nowrap">
          <div>{countOf(video.views, "view")}</div>
          <div className="text-ink-11">{countOf(video.likes, "like")}</div>
        </div>
      ),
    },
    {
      id: "status",
      title: "Status",
      isWrapping: true,
      cell: (video) => <StatusCell video={video} actions={actions} can={can} />,
    },
    {
      id: "categories",
      title: "Categories",
      isWrapping: true,
      className: "max-xl:hidden",
      cell: (video) => <span className="wrap-anywhere text-ink-11">{categorySummary(video)}</span>,
    },
    {
      id: "created",
      title: "Created",
      isSortable: true,
      className: "max-xl:hidden",
      cell: (video) => (
        <span className="tabular whitespace-nowrap text-ink-11">
          {createdDate(video.createdAt)}
        </span>
      ),
    },
    {
      id: "actions",
      title: "Actions",
      cell: (video) => (
        <div className="-mx-2 flex">
          {can("content.edit") ? (
            <EditButton of={video.title} onClick={() => actions.edit(video)} />
          ) : null}
          {can("content.publish") ? (
            <IconButton
              Icon={video.isPublished ? EyeOffIcon : EyeIcon}
              name={video.isPublished ? "Unpublish" : "Publish"}
              label={`${video.isPublished ? "Unpublish" : "Publish"} ${video.title}`}
              onClick={() => actions.togglePublished(video)}
            />
          ) : null}
          <RowMenu video={video} actions={actions} can={can} />
          {can("content.remove") ? (
            <DeleteButton of={video.title} className="ms-4" onClick={() => actions.remove(video)} />
          ) : null}
        </div>
      ),
    },
  ];
}
