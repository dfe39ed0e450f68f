import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import type { Video } from "#contract/videos/videos.ts";
import { SwitchField, TextField } from "#web/components/ui/field.tsx";
import { issueOf } from "#web/lib/api/issue-of.ts";
import { ModalForm } from "../shared/modal-form.tsx";
import { updateVideo } from "./api/change-video.ts";
import { videoListKey } from "./api/list-videos.ts";

const codesOf = (text: string) =>
  text
    .split(/[\s,]+/)
    .filter((code) => code !== "")
    .map((code) => code.toUpperCase());

/** Dialog for blurred thumbnails and blocked countries of a video. */
export function RestrictionsDialog({ video, onClose }: { video: Video; onClose: () => void }) {
  const [initial] = useState((video.blockedCountries ?? []).join(", "));
  const [text, setText] = useState(initial);
  const [isSensitive, setSensitive] = useState(video.isSensitive === true);
  const saving = useMutation({
    mutationFn: () => updateVideo(video.id, { isSensitive, blockedCountries: codesOf(text) }),
    onSuccess: onClose,
    meta: {
      success: "Restrictions saved",
      failure: "Failed to save the restrictions",
      refreshes: videoListKey,
    },
  });
  const isInvalid = codesOf(text).some((code) => !/^[A-Z]{2}$/.test(code));
  return (
    <ModalForm
      size="small"
      title="Restrictions"
      description={video.title}
      submitLabel="Save"
      busyLabel="Saving..."
      isBusy={saving.isPending}
      canSubmit={!isInvalid}
      isDirty={text !== initial || isSensitive !== (video.isSensitive === true)}
      onSubmit={() => saving.mutate()}
      onClose={onClose}
    >
      <SwitchField
        label="Sensitive"
        hint="Blurs the thumbnail on cards and disables the preview."
        checked={isSensitive}
        onChange={(event) => setSensitive(event.target.checked)}
      />
      <TextField
        label="Blocked countries"
        hint="Two-letter codes, such as DE, FR. Requires GEO_HEADER."
        autoCapitalize="characters"
        maxLength={1000}
        value={text}
        error={
          isInvalid
            ? "Use two-letter country codes, such as DE"
            : issueOf(saving.error, "blockedCountries")
        }
        onChange={(event) => setText(event.target.value)}
      />
    </ModalForm>
  );
}
