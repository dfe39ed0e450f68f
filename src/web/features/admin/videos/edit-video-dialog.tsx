import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { limits } from "../../../../contract/limits.ts";
import type { Video } from "../../../../contract/videos.ts";
import { SwitchField, TextAreaField, TextField } from "../../../components/ui/field.tsx";
import { formatDuration } from "../../../lib/format/format.ts";
import { ApiError } from "../../../lib/api/http.ts";
import { issueOf } from "../../../lib/api/issue-of.ts";
import { LabelNamesField } from "../shared/labels/label-names-field.tsx";
import { ModalForm } from "../shared/modal-form.tsx";
import { notify } from "../shared/notices.tsx";
import { getVideo, updateVideo } from "./api/change-video.ts";
import { videoListKey } from "./api/list-videos.ts";
import { EditConflict } from "./edit-conflict.tsx";
import {
  isSameForm,
  mergeForms,
  updateOf,
  videoForm,
  withField,
  type FieldClash,
  type VideoForm,
} from "./video-form.ts";
import { MediaNotices } from "./media-notices.tsx";
import { videoMessages as messages } from "./messages.ts";
import { Thumbnail } from "./thumbnail.tsx";

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
              <dd className="min-w-0 break-all text-ink-12">{value}</dd>
            </div>
          ))}
        </dl>
        <MediaNotices video={video} className="mt-1.5" />
      </div>
    </div>
  );
}

/**
 * Saves the form. Where another user saved first, their changes are merged in; fields that both
 * changed are left to the user, and nothing is saved until then.
 */
async function saveMerged(base: Video, form: VideoForm): Promise<MergedVideo> {
  try {
    await updateVideo(base.id, { ...updateOf(form), version: base.version });
    return { base, form, clashes: [] };
  } catch (error) {
    if (!(error instanceof ApiError && error.code === "edit_conflict")) throw error;
  }
  const theirs = await getVideo(base.id);
  const merged = { base: theirs, ...mergeForms(videoForm(base), form, videoForm(theirs)) };
  return merged.clashes.length > 0 ? merged : saveMerged(theirs, merged.form);
}

interface MergedVideo {
  base: Video;
  form: VideoForm;
  clashes: FieldClash[];
}

/** Edit Video. Changes that another user saved in the meantime are never overwritten unseen. */
export function EditVideoDialog({ video, onClose }: { video: Video; onClose: () => void }) {
  const client = useQueryClient();
  const [base, setBase] = useState(video);
  const [form, setForm] = useState<VideoForm>(() => videoForm(video));
  const [clashes, setClashes] = useState<readonly FieldClash[]>([]);
  const set = (change: Partial<VideoForm>) => setForm((current) => ({ ...current, ...change }));
  const settle = (clash: FieldClash) =>
    setClashes((current) => current.filter(({ name }) => name !== clash.name));

  const saving = useMutation({
    mutationFn: () => saveMerged(base, form),
    onSuccess: (merged) => {
      setBase(merged.base);
      setForm(merged.form);
      setClashes(merged.clashes);
      if (merged.clashes.length > 0) return;
      notify.success(messages.updated);
      onClose();
    },
    meta: { failure: messages.updateFailed },
    onSettled: () => void client.invalidateQueries({ queryKey: videoListKey }),
  });

  return (
    <ModalForm
      isOpen
      size="medium"
      title="Edit Video"
      description="Update video information and metadata"
      submitLabel="Update Video"
      busyLabel="Updating..."
      isBusy={saving.isPending}
      canSubmit={form.title.trim() !== "" && clashes.length === 0}
      isDirty={!isSameForm(form, videoForm(base))}
      onSubmit={() => saving.mutate()}
      onClose={onClose}
    >
      {clashes.length === 0 ? null : (
        <EditConflict
          clashes={clashes}
          onKeepMine={settle}
          onTakeTheirs={(clash) => {
            setForm((current) => withField(current, clash.name, videoForm(base)));
            settle(clash);
          }}
        />
      )}
      <Facts video={base} />
      <TextField
        label="Title"
        required
        maxLength={limits.titleMax}
        value={form.title}
        error={issueOf(saving.error, "title")}
        onChange={(event) => set({ title: event.target.value })}
      />
      <TextAreaField
        label="Description"
        rows={4}
        maxLength={limits.descriptionMax}
        value={form.description}
        error={issueOf(saving.error, "description")}
        onChange={(event) => set({ description: event.target.value })}
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
        checked={form.isPublished}
        onChange={(event) => set({ isPublished: event.target.checked })}
      />
      <SwitchField
        label="Premium"
        hint="Mark as premium content"
        checked={form.isPremium}
        onChange={(event) => set({ isPremium: event.target.checked })}
      />
    </ModalForm>
  );
}
