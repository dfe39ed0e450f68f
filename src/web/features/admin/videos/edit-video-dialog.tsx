import { useMutation } from "@tanstack/react-query";
import { videoEmbeddings, type VideoEmbedding } from "#contract/site/embedding.ts";
import type { LabelKind } from "#contract/lists/labels.ts";
import { limits } from "#contract/limits.ts";
import type { Video, VideoUpdate } from "#contract/videos/videos.ts";
import { SelectField, SwitchField, TextAreaField, TextField } from "#web/components/ui/field.tsx";
import { formatDuration } from "#web/lib/format/format.ts";
import { issueOf } from "#web/lib/api/failures.ts";
import { bindFields } from "../shared/bind-fields.ts";
import { EditConflict } from "../shared/editing/edit-conflict.tsx";
import { useEditedForm, createFormMerge } from "../shared/editing/use-edited-form.ts";
import { LabelNamesField, joinNames, splitNames } from "../shared/label-names-field.tsx";
import { ModalForm } from "../shared/modal-form.tsx";
import { notify } from "../shared/notices.tsx";
import { embeddingTexts } from "./bulk/bulk-texts.ts";
import { videoListKey, getVideo, updateVideo } from "./calls.ts";
import { MediaNotices } from "./processing-note.tsx";
import { Thumbnail } from "./thumbnail.tsx";

/** Values of the edit form. Labels are separated by commas. */
export interface VideoForm {
  title: string;
  description: string;
  categories: string;
  tags: string;
  actors: string;
  isPublished: boolean;
  isPremium: boolean;
  embedding: VideoEmbedding;
}

function videoForm(video: Video): VideoForm {
  return {
    title: video.title,
    description: video.description ?? "",
    categories: joinNames(video.categories.map(({ category }) => category.name)),
    tags: joinNames(video.tags.map(({ tag }) => tag.name)),
    actors: joinNames(video.actors.map(({ actor }) => actor.name)),
    isPublished: video.isPublished,
    isPremium: video.isPremium,
    embedding: video.embedding ?? "site",
  };
}

/**
 * Returns the update that saves a form. Leaves out unchanged labels, because older versions allowed
 * more of them than a request may contain.
 */
export function updateOf(form: VideoForm, saved: VideoForm): VideoUpdate {
  const changedNames = (kind: LabelKind) =>
    form[kind] === saved[kind] ? undefined : splitNames(form[kind]);
  return {
    title: form.title.trim(),
    description: form.description.trim() === "" ? null : form.description.trim(),
    isPublished: form.isPublished,
    isPremium: form.isPremium,
    embedding: form.embedding,
    categories: changedNames("categories"),
    tags: changedNames("tags"),
    actors: changedNames("actors"),
  };
}

const namesOf = (text: string) => joinNames(splitNames(text));

export const videoMerge = createFormMerge<VideoForm>(
  {
    title: "Title",
    description: "Description",
    categories: "Categories",
    tags: "Tags",
    actors: "Actors",
    isPublished: "Published",
    isPremium: "Premium",
    embedding: embeddingTexts.label,
  },
  {
    categories: (form) => namesOf(form.categories),
    tags: (form) => namesOf(form.tags),
    actors: (form) => namesOf(form.actors),
  },
);

function Facts({ video }: { video: Video }) {
  const facts = [
    ["Slug", video.slug],
    ["Duration", formatDuration(video.duration)],
    ["Views", video.views.toLocaleString()],
    ["Likes", video.likes.toLocaleString()],
  ] as const;
  return (
    <div className="flex items-start gap-4 rounded-md bg-ink-3 p-3">
      <Thumbnail src={video.thumbnail} durationS={video.duration} className="w-36 max-sm:w-28" />
      <div className="min-w-0 flex-1">
        <p className="title-lines font-medium">{video.title}</p>
        <dl className="tabular mt-1.5 flex flex-wrap gap-x-5 gap-y-1 text-ink-11">
          {facts.map(([name, value]) => (
            <div key={name} className="flex min-w-0 gap-1.5">
              <dt>{name}</dt>
              <dd className="min-w-0 wrap-anywhere text-ink-12">{value}</dd>
            </div>
          ))}
        </dl>
        <MediaNotices video={video} className="mt-1.5" />
      </div>
    </div>
  );
}

/**
 * Dialog that edits a video. Asks before it overwrites changes that another user has saved
 * meanwhile.
 */
export function EditVideoDialog({ video, onClose }: { video: Video; onClose: () => void }) {
  const edit = useEditedForm({
    item: video,
    formOf: videoForm,
    merge: videoMerge,
    save: (base, form) =>
      updateVideo(video.id, { ...updateOf(form, videoForm(base)), version: base.version }),
    load: () => getVideo(video.id),
  });
  const { form, set } = edit;

  const saving = useMutation({
    mutationFn: edit.save,
    onSuccess: (isSaved) => {
      if (!isSaved) return;
      notify.success("Video updated successfully");
      onClose();
    },
    meta: { failure: "Failed to update video", refreshes: videoListKey },
  });

  const fields = bindFields(form, set, (name) => issueOf(saving.error, name));
  return (
    <ModalForm
      size="medium"
      title="Edit Video"
      description="Update video information and metadata"
      submitLabel="Update Video"
      busyLabel="Updating..."
      isBusy={saving.isPending}
      canSubmit={form.title.trim() !== "" && edit.clashes.length === 0}
      isDirty={edit.isDirty}
      onSubmit={() => saving.mutateAsync()}
      onClose={onClose}
    >
      <EditConflict edit={edit} />
      <Facts video={edit.base} />
      <TextField label="Title" required maxLength={limits.titleMax} {...fields.text("title")} />
      <TextAreaField
        label="Description"
        rows={4}
        maxLength={limits.descriptionMax}
        {...fields.text("description")}
      />
      <LabelNamesField
        kind="categories"
        value={form.categories}
        error={issueOf(saving.error, "categories")}
        onValue={(categories) => set({ categories })}
      />
      <LabelNamesField
        kind="tags"
        value={form.tags}
        error={issueOf(saving.error, "tags")}
        onValue={(tags) => set({ tags })}
      />
      <LabelNamesField
        kind="actors"
        value={form.actors}
        error={issueOf(saving.error, "actors")}
        onValue={(actors) => set({ actors })}
      />
      <SwitchField
        label="Published"
        hint="Make video visible to users"
        {...fields.toggle("isPublished")}
      />
      <SwitchField label="Premium" hint="Mark as premium content" {...fields.toggle("isPremium")} />
      <SelectField
        label={embeddingTexts.label}
        hint="Other sites that may show this video in a frame"
        options={videoEmbeddings.map((value) => ({ value, label: embeddingTexts[value] }))}
        {...fields.text("embedding")}
      />
    </ModalForm>
  );
}
