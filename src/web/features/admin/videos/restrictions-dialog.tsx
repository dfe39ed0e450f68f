import { useMutation } from "@tanstack/react-query";
import type { Video } from "#contract/videos/videos.ts";
import { SwitchField, TextField } from "#web/components/ui/field.tsx";
import { issueOf } from "#web/lib/api/failures.ts";
import { bindFields } from "../shared/bind-fields.ts";
import { EditConflict } from "../shared/editing/edit-conflict.tsx";
import { useEditedForm, createFormMerge } from "../shared/editing/use-edited-form.ts";
import { ModalForm } from "../shared/modal-form.tsx";
import { notify } from "../shared/notices.tsx";
import { videoListKey, getVideo, updateVideo } from "./calls.ts";

interface RestrictionsForm {
  isSensitive: boolean;
  /** Separated by commas or spaces. */
  blockedCountries: string;
}

const codesOf = (text: string) =>
  text
    .split(/[\s,]+/)
    .filter((code) => code !== "")
    .map((code) => code.toUpperCase());

const formOf = (video: Video): RestrictionsForm => ({
  isSensitive: video.isSensitive === true,
  blockedCountries: (video.blockedCountries ?? []).join(", "),
});

const merge = createFormMerge<RestrictionsForm>(
  { isSensitive: "Sensitive", blockedCountries: "Blocked countries" },
  { blockedCountries: (form) => codesOf(form.blockedCountries).join(", ") },
);

/** Dialog for blurred thumbnails and blocked countries of a video. */
export function RestrictionsDialog({ video, onClose }: { video: Video; onClose: () => void }) {
  const edit = useEditedForm({
    item: video,
    formOf,
    merge,
    save: ({ version }, { isSensitive, blockedCountries }) =>
      updateVideo(video.id, { isSensitive, blockedCountries: codesOf(blockedCountries), version }),
    load: () => getVideo(video.id),
  });
  const { form, set } = edit;
  const saving = useMutation({
    mutationFn: edit.save,
    onSuccess: (isSaved) => {
      if (!isSaved) return;
      notify.success("Restrictions saved");
      onClose();
    },
    meta: { failure: "Failed to save the restrictions", refreshes: videoListKey },
  });
  const fields = bindFields(form, set, (name) => issueOf(saving.error, name));
  const isInvalid = codesOf(form.blockedCountries).some((code) => !/^[A-Z]{2}$/.test(code));
  return (
    <ModalForm
      size="small"
      title="Restrictions"
      description={video.title}
      submitLabel="Save"
      busyLabel="Saving..."
      isBusy={saving.isPending}
      canSubmit={!isInvalid && edit.clashes.length === 0}
      isDirty={edit.isDirty}
      onSubmit={() => saving.mutateAsync()}
      onClose={onClose}
    >
      <EditConflict edit={edit} />
      <SwitchField
        label="Sensitive"
        hint="Blurs the thumbnail on cards and disables the preview."
        {...fields.toggle("isSensitive")}
      />
      <TextField
        label="Blocked countries"
        hint="Two-letter codes, such as DE, FR. Requires GEO_HEADER."
        autoCapitalize="characters"
        maxLength={1000}
        {...fields.text("blockedCountries")}
        {...(isInvalid ? { error: "Use two-letter country codes, such as DE" } : {})}
      />
    </ModalForm>
  );
}
