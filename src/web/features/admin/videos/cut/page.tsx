import { useMutation, useQuery } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { Link, useNavigate, useParams } from "react-router";
import { RedoIcon, SquareDashedIcon, Trash2Icon, UndoIcon } from "lucide-react";
import { withoutTicket } from "#contract/accounts/page-token.ts";
import type { CutBody, CutEffect, CutState } from "#contract/videos/cut.ts";
import { cutLimits, findCutProblem, sumOf } from "#contract/videos/kept-parts.ts";
import { Button, buttonClass } from "#web/components/ui/button.tsx";
import { confirmAction } from "#web/components/ui/confirm-dialog.tsx";
import { Skeleton } from "#web/components/ui/states.tsx";
import { momentWords } from "../../shared/moments.ts";
import { ApiError } from "#web/lib/api/http.ts";
import { countOf } from "#web/lib/format/english-counts.ts";
import { keyOf } from "#web/lib/key-of.ts";
import { PageHeader, QueryError, adminHandle, useCan } from "../../shared/admin-page.tsx";
import { failureWithReason } from "../../shared/failure-text.ts";
import { IconButton } from "../../shared/icon-button.tsx";
import { ModalForm } from "../../shared/modal-form.tsx";
import { notify } from "../../shared/notices.tsx";
import { secondsText } from "../../shared/time-text.ts";
import { useUnsaved } from "../../shared/unsaved.ts";
import { gapsBetween, withoutPassage, withPassage, type Passage } from "../ruler/passages.ts";
import { TimeField, TimeRuler } from "../ruler/time-ruler.tsx";
import { cutVideo, undoCut, videoToCutQuery, type VideoToCut } from "./calls.ts";

export const handle = adminHandle("Cut");

/** Page that cuts a video: chooses the parts to keep, and saves them. */
export function Component() {
  const { id = "" } = useParams();
  const can = useCan();
  if (!can("content.edit")) return <PageHeader title="You can't cut videos" />;
  return <CutPage key={id} id={id} />;
}

function CutPage({ id }: { id: string }) {
  // Never from the cache, because parts are times of one version of the video.
  const read = useQuery({ ...videoToCutQuery(id), gcTime: 0 });
  const [opened, setOpened] = useState<VideoToCut | null>(null);
  if (opened === null && read.data !== undefined) setOpened(read.data);
  if (opened !== null) {
    const reload = async () => {
      const { data } = await read.refetch();
      if (data !== undefined) setOpened(data);
    };
    // New files start again with the whole video. Other changes, such as of the title, keep the parts.
    return (
      <CutEditor
        key={withoutTicket(opened.video.videoUrl)}
        {...opened}
        onReload={() => void reload()}
      />
    );
  }
  if (!read.isLoadingError) return <Skeleton className="h-96 w-full" />;
  return (
    <>
      <PageHeader title="Cut" />
      <QueryError message="Failed to load video" query={read} />
    </>
  );
}

/** Kept parts with the steps that led to them. */
function useSteps(first: Passage[]) {
  const [steps, setSteps] = useState({ list: [first], at: 0 });
  const { list, at } = steps;
  return {
    kept: list[at] ?? first,
    isChanged: at > 0,
    canUndo: at > 0,
    canRedo: at < list.length - 1,
    change: (kept: Passage[]) => {
      if (JSON.stringify(kept) === JSON.stringify(list[at])) return;
      setSteps({ list: [...list.slice(0, at + 1), kept], at: at + 1 });
    },
    undo: () => setSteps({ list, at: Math.max(0, at - 1) }),
    redo: () => setSteps({ list, at: Math.min(list.length - 1, at + 1) }),
  };
}

type Target = CutBody["target"];

function CutEditor({ video, state, onReload }: VideoToCut & { onReload: () => void }) {
  const durationS = video.duration;
  const whole = { startS: 0, endS: durationS };
  const steps = useSteps([whole]);
  const { kept, change } = steps;
  const [passage, setPassage] = useState<Passage>(whole);
  const [target, setTarget] = useState<Target | null>(null);
  const [isSaved, setSaved] = useState(false);
  const problem = findCutProblem(kept, durationS);
  const isDisabled = state.problem !== null;
  useUnsaved(steps.isChanged && !isSaved);

  const remove = () => change(withoutPassage(kept, passage, cutLimits.minPartS));
  const restore = () => change(withPassage(kept, passage));
  const keepOnly = () => change([passage]);
  const keys: Record<string, () => void> = {
    delete: remove,
    backspace: remove,
    x: remove,
    r: restore,
    enter: keepOnly,
    "ctrl z": steps.undo,
    "ctrl y": steps.redo,
    "ctrl shift z": steps.redo,
  };
  const replace = (at: number, part: Passage) => {
    const before = kept[at - 1]?.endS ?? 0;
    const after = kept[at + 1]?.startS ?? durationS;
    const startS = Math.max(before, Math.min(part.startS, after - cutLimits.minPartS));
    const endS = Math.min(after, Math.max(part.endS, startS + cutLimits.minPartS));
    change(kept.with(at, { startS, endS }));
  };

  return (
    <>
      <PageHeader title={`Cut: ${video.title}`} note={`${secondsText(durationS)} now`}>
        <Link to={`/admin/videos/${video.id}`} className={buttonClass({ kind: "quiet" })}>
          Back to video
        </Link>
      </PageHeader>
      <div className="grid grid-cols-[minmax(0,1fr)] gap-6">
        {state.problem === null ? null : (
          <div role="alert" className="flex flex-wrap items-center gap-3 rounded-md bg-ink-3 p-3">
            <p className="min-w-0 flex-1">{state.problem}</p>
            <Button size="small" onClick={onReload}>
              Check again
            </Button>
          </div>
        )}
        {state.partCount === null ? null : <UndoCut video={video} state={state} />}
        <TimeRuler
          video={video}
          passage={passage}
          onPassage={setPassage}
          kept={kept}
          marks={(video.chapters ?? []).map(({ startS, title }, at, all) => ({
            atS: startS,
            endS: all[at + 1]?.startS ?? durationS,
            label: title,
          }))}
          onKey={(event) => {
            const modifier = event.ctrlKey || event.metaKey ? "ctrl " : "";
            const shift = modifier !== "" && event.shiftKey ? "shift " : "";
            const action = keys[modifier + shift + keyOf(event)];
            if (action === undefined || event.altKey) return;
            event.preventDefault();
            action();
          }}
        >
          <IconButton
            Icon={UndoIcon}
            label="Undo last step"
            name="Undo (Ctrl+Z)"
            disabled={!steps.canUndo}
            onClick={steps.undo}
          />
          <IconButton
            Icon={RedoIcon}
            label="Redo step"
            name="Redo (Ctrl+Y)"
            disabled={!steps.canRedo}
            onClick={steps.redo}
          />
        </TimeRuler>
        <div className="flex flex-wrap gap-2">
          <Button onClick={keepOnly}>Keep only selection</Button>
          <Button onClick={remove}>Remove selection</Button>
          <Button onClick={restore}>Restore selection</Button>
        </div>
        <p className="-mt-3 text-sm text-ink-11 max-sm:hidden">
          In the player, Enter keeps only the selection, Delete or X removes it, and R restores it.
          Ctrl+Z undoes the last step, and Ctrl+Y redoes it.
        </p>
        <PartList
          kept={kept}
          durationS={durationS}
          onSelect={setPassage}
          onChange={replace}
          onRemove={(at) => change(kept.toSpliced(at, 1))}
        />
        <div className="flex flex-wrap items-center gap-3 border-t border-line pt-4">
          <Button
            kind="primary"
            disabled={isDisabled || problem !== null}
            onClick={() => setTarget("video")}
          >
            Save as this video
          </Button>
          <Button disabled={isDisabled || problem !== null} onClick={() => setTarget("draft")}>
            Save as new draft
          </Button>
          <p role="status" className="tabular text-ink-11">
            {problem ?? `${secondsText(sumOf(kept))} remain of ${secondsText(durationS)}`}
          </p>
        </div>
      </div>
      {target === null ? null : (
        <SaveDialog
          {...{ video, state, target, kept, onReload }}
          onSaved={() => setSaved(true)}
          onClose={() => setTarget(null)}
        />
      )}
    </>
  );
}

/** Kept parts with their times, and the length of what is removed between them. */
function PartList({
  kept,
  durationS,
  onSelect,
  onChange,
  onRemove,
}: {
  kept: readonly Passage[];
  durationS: number;
  onSelect: (part: Passage) => void;
  onChange: (at: number, part: Passage) => void;
  onRemove: (at: number) => void;
}) {
  const gaps = gapsBetween(kept, durationS);
  const list = useRef<HTMLOListElement>(null);
  const remove = (at: number) => {
    onRemove(at);
    requestAnimationFrame(() => {
      // The last part, and the last button that removes one, take the focus with them.
      if (document.activeElement !== document.body) return;
      list.current?.querySelector<HTMLElement>("li:last-child input")?.focus();
    });
  };
  return (
    <section aria-labelledby="parts">
      <h2 id="parts" className="mb-2 font-semibold">
        {`Parts to keep (${kept.length})`}
      </h2>
      <ol ref={list} className="grid gap-3">
        {kept.map((part, at) => (
          // Keyed by place, so that a field keeps the focus when its time changes.
          <li key={`${at}`} className="flex flex-wrap items-end gap-2">
            <TimeField
              label={`Start of part ${at + 1}`}
              className="w-28 sm:w-36"
              valueS={part.startS}
              onTime={(startS) => onChange(at, { ...part, startS })}
            />
            <TimeField
              label={`End of part ${at + 1}`}
              className="w-28 sm:w-36"
              valueS={part.endS}
              onTime={(endS) => onChange(at, { ...part, endS })}
            />
            <IconButton
              Icon={SquareDashedIcon}
              label={`Select part ${at + 1}`}
              name="Select"
              onClick={() => onSelect(part)}
            />
            {kept.length > 1 ? (
              <IconButton
                Icon={Trash2Icon}
                label={`Remove part ${at + 1}`}
                name="Remove"
                isDanger
                onClick={() => remove(at)}
              />
            ) : null}
            <span className="tabular pb-2.5 text-ink-11">
              {secondsText(part.endS - part.startS)}
            </span>
          </li>
        ))}
      </ol>
      {gaps.length === 0 ? null : (
        <p className="tabular mt-3 text-ink-11">
          {`Removed: ${gaps
            .map(({ startS, endS }) => `${secondsText(startS)} to ${secondsText(endS)}`)
            .join(", ")}`}
        </p>
      )}
    </section>
  );
}

/** Returns sentences about what a cut drops. */
function effectTexts(
  { captionLines, chapters, midrollTimes, comments }: CutEffect,
  target: Target,
): string[] {
  return [
    ...(chapters.length === 0 ? [] : [`Chapters that will disappear: ${chapters.join(", ")}.`]),
    ...(captionLines === 0
      ? []
      : [`${countOf(captionLines, "caption line")} in removed parts will disappear.`]),
    ...(midrollTimes.length === 0
      ? []
      : [`Mid-rolls that will disappear: ${midrollTimes.map(secondsText).join(", ")}.`]),
    ...(comments === 0
      ? []
      : [
          `${countOf(comments, "comment mentions", "comments mention")} a time in a removed part. That time will become the time of the cut.`,
        ]),
    ...(target === "draft"
      ? []
      : [
          "Captions, chapters, mid-rolls and times in the description and comments will be adjusted.",
          "Views, likes and the address stay the same. The curve of watched parts and “How far viewers watch” start over.",
        ]),
  ];
}

/** Returns how long a cut can be undone. */
function undoText({
  undoDays,
  isFromRendition,
}: Pick<CutState, "undoDays" | "isFromRendition">): string {
  if (isFromRendition) {
    const source = "The original is gone, so the best rendition is cut.";
    return undoDays === null || undoDays === 0
      ? `${source} You can't undo the cut.`
      : `${source} You can undo the cut for ${countOf(undoDays, "day")}.`;
  }
  if (undoDays === null) return "You can undo the cut at any time, because the original stays.";
  if (undoDays === 0) return "You can't undo the cut, because the original is deleted afterwards.";
  return `You can undo the cut for ${countOf(undoDays, "day")}. Then the original is deleted.`;
}

function SaveDialog({
  video,
  state,
  target,
  kept,
  onReload,
  onSaved,
  onClose,
}: VideoToCut & {
  target: Target;
  kept: readonly Passage[];
  onReload: () => void;
  onSaved: () => void;
  onClose: () => void;
}) {
  const navigate = useNavigate();
  const body = { parts: [...kept], target, version: video.version ?? state.version };
  const plan = useQuery({
    queryKey: ["admin", "video", video.id, "cut", body],
    queryFn: () => cutVideo(video.id, { ...body, dryRun: true }),
    gcTime: 0,
    retry: false,
  });
  const saving = useMutation({
    mutationFn: () => cutVideo(video.id, body),
    onSuccess: onSaved,
    meta: { failure: "Failed to cut the video", refreshes: ["admin"] },
  });
  const error = plan.error ?? saving.error;
  const isOutdated = error instanceof ApiError && error.code === "edit_conflict";
  const savedId = saving.data?.videoId ?? null;
  useEffect(() => {
    if (savedId === null) return;
    notify.success(
      target === "draft"
        ? "Draft saved"
        : "Cutting the video. The current version plays until it's done.",
    );
    void navigate(`/admin/videos/${savedId}`);
  }, [savedId, target, navigate]);

  return (
    <ModalForm
      title={target === "draft" ? "Save as new draft" : "Cut this video"}
      description={`${secondsText(sumOf(kept))} remain of ${secondsText(video.duration)}.`}
      submitLabel={target === "draft" ? "Save draft" : "Cut video"}
      busyLabel="Saving..."
      isBusy={saving.isPending || savedId !== null}
      canSubmit={plan.data !== undefined}
      onSubmit={() => saving.mutateAsync()}
      onClose={onClose}
    >
      {error !== null ? (
        <div role="alert" className="grid justify-items-start gap-2 text-danger-text">
          <p>{failureWithReason("This can't be saved", error)}</p>
          {isOutdated ? (
            <>
              <p>Reload the video. Your parts are kept unless its files have changed.</p>
              <Button
                onClick={() => {
                  saving.reset();
                  onReload();
                }}
              >
                Reload video
              </Button>
            </>
          ) : null}
        </div>
      ) : plan.data === undefined ? (
        <Skeleton className="h-24 w-full" />
      ) : (
        <ul className="grid list-disc gap-1.5 ps-5 wrap-anywhere">
          {effectTexts(plan.data.effect, target).map((text) => (
            <li key={text}>{text}</li>
          ))}
          <li>
            {target === "draft"
              ? "This video stays as it is. The draft gets its labels, restrictions and captions."
              : undoText(state)}
          </li>
        </ul>
      )}
    </ModalForm>
  );
}

function UndoCut({ video, state }: VideoToCut) {
  const navigate = useNavigate();
  const undoing = useMutation({
    mutationFn: () => undoCut(video.id, video.version ?? state.version),
    onSuccess: () => navigate(`/admin/videos/${video.id}`),
    meta: {
      success: "Undoing the cut. The current version plays until it's done.",
      failure: "Failed to undo the cut",
      refreshes: ["admin"],
    },
  });
  const start = async () => {
    const isSure = await confirmAction(
      "Undo the cut? The whole original will play again. Captions, chapters, mid-rolls and times will move back.",
      "Undo cut",
    );
    if (isSure) undoing.mutate();
  };
  const until = state.undoUntil === null ? "" : ` until ${momentWords(state.undoUntil)}`;
  return (
    <div className="flex flex-wrap items-center gap-3 rounded-md bg-ink-3 p-3">
      <p className="min-w-0 flex-1">
        {`This video is already cut to ${countOf(state.partCount ?? 0, "part")}. `}
        {state.canUndo
          ? `You can cut it further, or undo the cut${until}.`
          : "The original is gone, so the cut can't be undone."}
      </p>
      {state.canUndo ? (
        <Button disabled={state.problem !== null || undoing.isPending} onClick={() => void start()}>
          Undo cut
        </Button>
      ) : null}
    </div>
  );
}
