import { useMutation, useQuery } from "@tanstack/react-query";
import { useRef, useState } from "react";
import type { AdminCaption, CaptionChange } from "#contract/videos/captions.ts";
import type { Video } from "#contract/videos/videos.ts";
import { Button } from "#web/components/ui/button.tsx";
import { confirmAction } from "#web/components/ui/confirm-dialog.tsx";
import { plural } from "#web/lib/format/english-counts.ts";
import { useListParams } from "../../shared/list-params.ts";
import { Skeleton } from "#web/components/ui/states.tsx";
import { QueryError, useCan } from "../../shared/admin-page.tsx";
import { Section } from "../../shared/section.tsx";
import { discardThen } from "../../shared/unsaved.ts";
import {
  captionsKey,
  changeCaption,
  deleteCaption,
  listCaptions,
  requestAutomaticCaptions,
} from "./calls.ts";
import { CaptionEditor } from "./caption-editor.tsx";
import { CaptionUpload } from "./caption-upload.tsx";

const origins = { upload: "uploaded", file: "from the video's file", automatic: "automatic" };
/** Milliseconds between refreshes while a command generates captions. */
const busyRefreshMs = 5000;

/** Lets the user add, edit and delete the caption tracks of a video. */
export function CaptionsSection({ video }: { video: Video }) {
  const canEdit = useCan()("content.edit");
  const queryKey = captionsKey(video.id);
  const read = useQuery({
    queryKey,
    queryFn: () => listCaptions(video.id),
    refetchInterval: ({ state }) => (state.data?.automatic === "busy" ? busyRefreshMs : false),
  });
  // Stored in the URL, so that row menus can open the dialog too.
  const params = useListParams();
  const isAdding = canEdit && params.get("captions") === "add";
  const setAdding = (isOpen: boolean) => params.set({ captions: isOpen ? "add" : null });
  const [editedId, setEditedId] = useState<string | null>(null);
  /** Button that opened the editor. It gets the focus when the editor closes. */
  const opener = useRef<HTMLElement>(null);
  const requesting = useMutation({
    mutationFn: () => requestAutomaticCaptions(video.id),
    meta: { failure: "Failed to start automatic captions", refreshes: queryKey },
  });
  if (read.isLoadingError) {
    return (
      <Section title="Captions">
        <QueryError message="Failed to load captions" query={read} />
      </Section>
    );
  }
  if (read.data === undefined) {
    return (
      <Section title="Captions">
        <Skeleton className="h-11 w-full" />
      </Section>
    );
  }
  const { captions, automatic } = read.data;
  const edited = captions.find(({ id }) => id === editedId);
  const hasAutomatic = captions.some(({ origin }) => origin === "automatic");
  return (
    <Section title="Captions">
      {captions.length === 0 ? <p className="text-ink-11">This video has no captions.</p> : null}
      {captions.length === 0 ? null : (
        <ul className="divide-y divide-line">
          {captions.map((caption) => (
            <CaptionRow
              key={caption.id}
              videoId={video.id}
              caption={caption}
              canEdit={canEdit}
              isEdited={caption.id === editedId}
              onEdit={(button) =>
                discardThen(() => {
                  opener.current = button;
                  setEditedId(caption.id === editedId ? null : caption.id);
                })
              }
              onDelete={() => {
                if (caption.id === editedId) setEditedId(null);
              }}
            />
          ))}
        </ul>
      )}
      {edited === undefined ? null : (
        <CaptionEditor
          key={edited.id}
          video={video}
          captionId={edited.id}
          canEdit={canEdit}
          onClose={() => {
            setEditedId(null);
            opener.current?.focus();
          }}
        />
      )}
      {canEdit ? (
        <div className="flex flex-wrap items-center gap-2">
          <Button onClick={() => setAdding(true)}>Add captions</Button>
          {automatic === "idle" && !hasAutomatic ? (
            <Button disabled={requesting.isPending} onClick={() => requesting.mutate()}>
              Create automatic captions
            </Button>
          ) : null}
          {automatic === "busy" ? (
            <p role="status" className="text-ink-11">
              Creating automatic captions...
            </p>
          ) : null}
        </div>
      ) : null}
      {isAdding ? <CaptionUpload videoId={video.id} onClose={() => setAdding(false)} /> : null}
    </Section>
  );
}

function CaptionRow(props: {
  videoId: string;
  caption: AdminCaption;
  canEdit: boolean;
  isEdited: boolean;
  onEdit: (button: HTMLElement) => void;
  onDelete: () => void;
}) {
  const { videoId, caption, canEdit, isEdited, onEdit, onDelete } = props;
  const { id, name, language, lineCount, origin, isDefault, isForced } = caption;
  const changing = useMutation({
    mutationFn: (change: CaptionChange) => changeCaption(videoId, id, change),
    meta: { failure: "Failed to change captions", refreshes: captionsKey(videoId) },
  });
  const deleting = useMutation({
    mutationFn: () => deleteCaption(videoId, id),
    meta: { failure: "Failed to delete captions", refreshes: captionsKey(videoId) },
  });
  const remove = async () => {
    const hasAgreed = await confirmAction(`Delete the captions "${name}"?`, "Delete", "danger");
    if (!hasAgreed) return;
    onDelete();
    deleting.mutate();
  };
  const linesLabel = canEdit ? "Edit lines" : "Show lines";
  const facts = [
    ...[language, plural(lineCount, "line", "lines"), origins[origin]],
    ...(isDefault ? ["on by default"] : []),
    ...(isForced ? ["forced"] : []),
  ];
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-1 py-2">
      <div className="min-w-0 flex-1 basis-56">
        <p className="font-medium break-words" lang={language === "und" ? undefined : language}>
          {name}
        </p>
        <p className="text-ink-11">{facts.join(" · ")}</p>
      </div>
      <div className="flex flex-wrap gap-x-2 max-sm:-ms-5">
        <Button
          kind="ghost"
          aria-label={`${linesLabel}: ${name}`}
          aria-expanded={isEdited}
          onClick={({ currentTarget }) => onEdit(currentTarget)}
        >
          {linesLabel}
        </Button>
        {canEdit ? (
          <>
            <Button
              kind="ghost"
              aria-label={`Default: ${name}`}
              aria-pressed={isDefault}
              disabled={changing.isPending || isForced}
              onClick={() => changing.mutate({ isDefault: !isDefault })}
            >
              Default
            </Button>
            <Button
              kind="ghost"
              aria-label={`Delete: ${name}`}
              className="text-danger-text! hover:bg-danger-soft"
              disabled={deleting.isPending}
              onClick={() => void remove()}
            >
              Delete
            </Button>
          </>
        ) : null}
      </div>
    </li>
  );
}
