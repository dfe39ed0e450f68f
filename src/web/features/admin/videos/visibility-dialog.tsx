import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import type { Video, Visibility } from "#contract/videos/videos.ts";
import { ModalForm } from "../shared/modal-form.tsx";
import { RadioRows } from "../shared/radio-rows.tsx";
import { notify } from "../shared/notices.tsx";
import { updateVideo } from "./api/change-video.ts";
import { videoListKey } from "./api/list-videos.ts";
import { videoMessages } from "./messages.ts";

const messages = {
  title: "Visibility",
  save: "Save",
  saving: "Saving...",
  saved: "Visibility saved",
  failed: "Failed to save the visibility",
  question: "Who can watch the video once it's published?",
  hints: {
    public: "Anyone. Appears in lists, search, the feed and search engines.",
    unlisted: "Anyone with the link. Not shown in lists.",
    private: "Signed-in users and anyone with its private link.",
  },
} as const;

const visibilities = ["public", "unlisted", "private"] as const satisfies readonly Visibility[];

/** Dialog for the visibility of a published video. */
export function VisibilityDialog({ video, onClose }: { video: Video; onClose: () => void }) {
  const client = useQueryClient();
  const [initial] = useState(video.visibility ?? "public");
  const [value, setValue] = useState<Visibility>(initial);
  const saving = useMutation({
    mutationFn: () => updateVideo(video.id, { visibility: value }),
    onSuccess: () => {
      notify.success(messages.saved);
      onClose();
    },
    meta: { failure: messages.failed },
    onSettled: () => void client.invalidateQueries({ queryKey: videoListKey }),
  });
  return (
    <ModalForm
      isOpen
      size="small"
      title={messages.title}
      description={video.title}
      submitLabel={messages.save}
      busyLabel={messages.saving}
      isBusy={saving.isPending}
      canSubmit={value !== initial}
      isDirty={value !== initial}
      onSubmit={() => saving.mutate()}
      onClose={onClose}
    >
      <RadioRows
        legend={messages.question}
        name="visibility"
        value={value}
        options={visibilities.map((name) => ({
          value: name,
          label: videoMessages.visibility[name],
          hint: messages.hints[name],
        }))}
        onValue={setValue}
      />
    </ModalForm>
  );
}
