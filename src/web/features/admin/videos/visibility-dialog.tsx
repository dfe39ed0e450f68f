import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { LinkIcon, LockIcon } from "lucide-react";
import type { Video, Visibility } from "#contract/videos/videos.ts";
import { Badge } from "#web/components/ui/badge.tsx";
import { ModalForm } from "../shared/modal-form.tsx";
import { RadioRows } from "../shared/radio-rows.tsx";
import { videoListKey, updateVideo } from "./calls.ts";

export const visibilityNames = {
  public: "Public",
  unlisted: "Unlisted",
  private: "Private",
} as const;

/** Badge on videos that aren't public. */
export function VisibilityBadge({ video }: { video: Video }) {
  const visibility = video.visibility ?? "public";
  if (visibility === "public") return null;
  const Icon = visibility === "private" ? LockIcon : LinkIcon;
  return (
    <Badge tone="neutral">
      <Icon aria-hidden="true" className="size-3" />
      {visibilityNames[visibility]}
    </Badge>
  );
}

const hints: Record<Visibility, string> = {
  public: "Anyone. Appears in lists, search, the feed and search engines.",
  unlisted: "Anyone with the link. Not shown in lists.",
  private: "Signed-in users and anyone with its private link.",
};

const visibilities = ["public", "unlisted", "private"] as const satisfies readonly Visibility[];

/** Dialog for the visibility of a published video. */
export function VisibilityDialog({ video, onClose }: { video: Video; onClose: () => void }) {
  const [initial] = useState(video.visibility ?? "public");
  const [value, setValue] = useState<Visibility>(initial);
  const saving = useMutation({
    mutationFn: () => updateVideo(video.id, { visibility: value }),
    onSuccess: onClose,
    meta: {
      success: "Visibility saved",
      failure: "Failed to save the visibility",
      refreshes: videoListKey,
    },
  });
  return (
    <ModalForm
      size="small"
      title="Visibility"
      description={video.title}
      submitLabel="Save"
      busyLabel="Saving..."
      isBusy={saving.isPending}
      canSubmit={value !== initial}
      isDirty={value !== initial}
      onSubmit={() => saving.mutateAsync()}
      onClose={onClose}
    >
      <RadioRows
        legend="Who can watch the video once it's published?"
        name="visibility"
        value={value}
        options={visibilities.map((name) => ({
          value: name,
          label: visibilityNames[name],
          hint: hints[name],
        }))}
        onValue={setValue}
      />
    </ModalForm>
  );
}
