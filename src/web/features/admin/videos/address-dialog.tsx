import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import type { Video } from "#contract/videos/videos.ts";
import { TextField } from "#web/components/ui/field.tsx";
import { issueOf } from "#web/lib/api/issue-of.ts";
import { conflictText } from "../shared/failure-text.ts";
import { ModalForm } from "../shared/modal-form.tsx";
import { updateVideo } from "./api/change-video.ts";
import { videoListKey } from "./api/list-videos.ts";

/** Dialog that changes the slug of a video. The old address redirects to the new one. */
export function AddressDialog({ video, onClose }: { video: Video; onClose: () => void }) {
  const [slug, setSlug] = useState(video.slug);
  const saving = useMutation({
    mutationFn: () => updateVideo(video.id, { slug: slug.trim() }),
    onSuccess: onClose,
    meta: { failure: "Failed to change the address", refreshes: videoListKey },
  });
  const { error } = saving;
  return (
    <ModalForm
      size="small"
      title="Change address"
      description={video.title}
      submitLabel="Change"
      busyLabel="Changing..."
      isBusy={saving.isPending}
      canSubmit={slug.trim() !== "" && slug.trim() !== video.slug}
      isDirty={slug !== video.slug}
      onSubmit={() => saving.mutateAsync()}
      onClose={onClose}
    >
      <TextField
        label="Address after /video/"
        hint="Lowercase letters, digits and hyphens. The old address redirects to the new one."
        required
        maxLength={80}
        spellCheck={false}
        autoCapitalize="none"
        value={slug}
        error={issueOf(error, "slug") ?? conflictText(error)}
        onChange={(event) => setSlug(event.target.value)}
      />
    </ModalForm>
  );
}
