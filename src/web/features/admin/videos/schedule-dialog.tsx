import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import type { Video } from "#contract/videos/videos.ts";
import { TextField } from "#web/components/ui/field.tsx";
import { ModalForm } from "../shared/modal-form.tsx";
import { localDateTime, momentWords, publishTimeNote } from "../shared/moments.ts";
import { videoListKey, scheduleVideo } from "./calls.ts";

const tomorrowMorning = () => {
  const date = new Date();
  date.setDate(date.getDate() + 1);
  date.setHours(9, 0, 0, 0);
  return date;
};

/** Dialog that schedules when a draft is published. */
export function ScheduleDialog({ video, onClose }: { video: Video; onClose: () => void }) {
  const [initial] = useState(() =>
    video.publishAt == null ? tomorrowMorning() : new Date(video.publishAt),
  );
  const initialText = localDateTime(initial);
  const [text, setText] = useState(initialText);
  // The text has no seconds, and can stand for two times when the clocks go back.
  const at = text === initialText ? initial : new Date(text);
  const isValid = text !== "" && !Number.isNaN(at.getTime());
  const saving = useMutation({
    mutationFn: () => scheduleVideo(video.id, at),
    onSuccess: onClose,
    meta: {
      success: `Scheduled for ${momentWords(at)}`,
      failure: "Failed to schedule video",
      refreshes: videoListKey,
    },
  });

  return (
    <ModalForm
      size="small"
      title="Schedule publishing"
      description={video.title}
      submitLabel="Schedule"
      busyLabel="Scheduling..."
      isBusy={saving.isPending}
      canSubmit={isValid}
      isDirty={text !== initialText}
      onSubmit={() => saving.mutateAsync()}
      onClose={onClose}
    >
      <TextField
        label="Publish at"
        type="datetime-local"
        required
        value={text}
        onChange={(event) => setText(event.target.value)}
        hint={publishTimeNote(text)}
      />
    </ModalForm>
  );
}
