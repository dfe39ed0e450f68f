import { EllipsisVerticalIcon } from "lucide-react";
import { useNavigate } from "react-router";
import type { Video } from "#contract/videos/videos.ts";
import { buttonClass } from "#web/components/ui/button.tsx";
import type { Can } from "../shared/use-can.ts";
import { Menu, type MenuEntry } from "#web/components/ui/menu.tsx";

export interface RowMenuActions {
  schedule: (video: Video) => void;
  unschedule: (video: Video) => void;
  changeThumbnail: (video: Video) => void;
  restrict: (video: Video) => void;
  changeVisibility: (video: Video) => void;
  retry: (video: Video) => void;
}

/** Menu with less frequent actions on a video. */
export function RowMenu({
  video,
  actions,
  can,
}: {
  video: Video;
  actions: RowMenuActions;
  can: Can;
}) {
  const navigate = useNavigate();
  const entries: MenuEntry[] = [
    { label: "Details", onSelect: () => void navigate(`/admin/videos/${video.id}`) },
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
