import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { ChevronDownIcon } from "lucide-react";
import { useState, useEffect, useRef } from "react";
import {
  bulkIdsMax,
  bulkPermissions,
  type BulkAction,
  type BulkTarget,
  type BulkJob,
  type BulkRequest,
} from "#contract/videos/admin-videos.ts";
import { describeReprocessing } from "#contract/videos/reprocessing-words.ts";
import { videoEmbeddings } from "#contract/site/embedding.ts";
import { labelKinds, type LabelKind } from "#contract/lists/labels.ts";
import { Button, buttonClass } from "#web/components/ui/button.tsx";
import { confirmAction } from "#web/components/ui/confirm-dialog.tsx";
import { Menu } from "#web/components/ui/menu.tsx";
import { formatWhole } from "#web/lib/format/format.ts";
import { LabelNamesField, splitNames } from "../../shared/label-names-field.tsx";
import { notify } from "../../shared/notices.tsx";
import { confirmDeletion } from "../clips/confirm-deletion.tsx";
import { useCan } from "../../shared/admin-page.tsx";
import { ModalForm } from "../../shared/modal-form.tsx";
import {
  planReprocess,
  videoListKey,
  bulkListKey,
  bulkListQuery,
  cancelBulk,
  startBulk,
} from "../calls.ts";
import { bulkQuestion, bulkResult, bulkDoing, embeddingTexts } from "./bulk-texts.ts";

const isRunning = (job: BulkJob) => job.state === "waiting" || job.state === "running";

/** Starts bulk actions, lists running ones and reports their results. */
export function useBulk() {
  const client = useQueryClient();
  const jobs = useQuery({
    ...bulkListQuery,
    // Fallback for proxies that block events. Events arrive sooner.
    refetchInterval: (query) => (query.state.data?.some(isRunning) === true ? 3000 : false),
  });
  const watched = useRef(new Set<string>());

  useEffect(() => {
    for (const job of jobs.data ?? []) {
      if (isRunning(job)) watched.current.add(job.id);
      else if (watched.current.delete(job.id)) {
        if (job.state === "failed") notify.failure(bulkResult(job));
        else notify.success(bulkResult(job));
        void client.invalidateQueries({ queryKey: videoListKey });
      }
    }
  }, [jobs.data, client]);

  const starting = useMutation({
    mutationFn: (request: BulkRequest) => startBulk(request),
    onSuccess: (job) => {
      watched.current.add(job.id);
    },
    meta: { failure: "Failed to start", refreshes: bulkListKey },
  });
  const cancelling = useMutation({
    mutationFn: (id: string) => cancelBulk(id),
    meta: { failure: "Failed to cancel", refreshes: bulkListKey },
  });

  return {
    running: (jobs.data ?? []).filter(isRunning),
    isStarting: starting.isPending,
    start: (request: BulkRequest) => starting.mutateAsync(request),
    cancel: (id: string) => cancelling.mutate(id),
    refresh: () => client.invalidateQueries({ queryKey: bulkListKey }),
  };
}

interface LabelAsk {
  kind: "add_labels" | "remove_labels";
  label: LabelKind;
}

function LabelDialog({
  ask,
  count,
  isBusy,
  onNames,
  onClose,
}: {
  ask: LabelAsk;
  count: number;
  isBusy: boolean;
  onNames: (names: string[]) => Promise<void>;
  onClose: () => void;
}) {
  const [text, setText] = useState("");
  const names = splitNames(text);
  const verb = ask.kind === "add_labels" ? "Add" : "Remove";
  return (
    <ModalForm
      size="small"
      title={bulkQuestion({ ...ask, names: [] }, count).replace("?", "")}
      submitLabel={verb}
      busyLabel={verb}
      isBusy={isBusy}
      canSubmit={names.length > 0}
      onSubmit={() => onNames(names)}
      onClose={onClose}
    >
      <LabelNamesField kind={ask.label} value={text} onValue={setText} isRequired />
    </ModalForm>
  );
}

/** Bulk actions on videos. */
export function BulkTools({
  count,
  target,
  mayHaveClips,
  isBusy,
  onAction,
}: {
  count: number;
  target: BulkTarget;
  mayHaveClips: boolean;
  /** True while an action starts. */
  isBusy: boolean;
  /** Resolves once the action has started or failed to start. */
  onAction: (action: BulkAction) => Promise<void>;
}) {
  const can = useCan();
  const [ask, setAsk] = useState<LabelAsk | null>(null);

  const confirm = async (action: BulkAction, confirmLabel: string) => {
    if (await confirmAction(bulkQuestion(action, count), confirmLabel)) await onAction(action);
  };
  const confirmDelete = async () => {
    const question = bulkQuestion({ kind: "delete" }, count);
    const answer = await confirmDeletion(question, "Delete", mayHaveClips);
    if (answer !== null) await onAction({ kind: "delete", ...answer });
  };

  const planning = useMutation({
    mutationFn: () => planReprocess(target),
    async onSuccess(plan) {
      const action = { kind: "reprocess" } as const;
      const question = `${bulkQuestion(action, count)} ${describeReprocessing(plan)} Current renditions play until then.`;
      if (plan.ready === 0) notify.failure(describeReprocessing(plan));
      else if (await confirmAction(question, "Reprocess")) await onAction(action);
    },
    meta: { failure: "Failed to estimate the reprocessing" },
  });

  if ("ids" in target && target.ids.length > bulkIdsMax) {
    return <p>{`You can select up to ${formatWhole(bulkIdsMax)} videos, or all that match.`}</p>;
  }
  return (
    <>
      <Button
        size="small"
        disabled={isBusy}
        onClick={() => void confirm({ kind: "publish" }, "Publish")}
      >
        Publish
      </Button>
      <Button
        size="small"
        disabled={isBusy}
        onClick={() => void confirm({ kind: "unpublish" }, "Unpublish")}
      >
        Unpublish
      </Button>
      {can("content.edit") ? (
        <Menu
          label="More bulk actions"
          triggerClassName={buttonClass({ size: "small" })}
          trigger={
            <>
              More
              <ChevronDownIcon aria-hidden="true" className="size-3.5" />
            </>
          }
          entries={[
            ...labelKinds.map((label) => ({
              label: `Add ${label}`,
              onSelect: () => setAsk({ kind: "add_labels", label }),
            })),
            ...labelKinds.map((label) => ({
              label: `Remove ${label}`,
              onSelect: () => setAsk({ kind: "remove_labels", label }),
            })),
            {
              label: "Mark as premium",
              onSelect: () =>
                void confirm({ kind: "set_premium", isPremium: true }, "Mark as premium"),
            },
            {
              label: "Mark as free",
              onSelect: () =>
                void confirm({ kind: "set_premium", isPremium: false }, "Mark as free"),
            },
            ...videoEmbeddings.map((embedding) => ({
              label: `Embedding: ${embeddingTexts[embedding]}`,
              onSelect: () => void confirm({ kind: "set_embedding", embedding }, "Set embedding"),
            })),
            { label: "Reprocess", onSelect: () => planning.mutate() },
          ].map((entry) => ({ ...entry, isDisabled: isBusy }))}
        />
      ) : null}
      {can("content.remove") ? (
        <Button
          size="small"
          disabled={isBusy}
          className="ms-4 text-danger-text! hover:bg-danger-soft"
          onClick={() => void confirmDelete()}
        >
          Delete
        </Button>
      ) : null}
      {ask === null ? null : (
        <LabelDialog
          ask={ask}
          count={count}
          isBusy={isBusy}
          onClose={() => setAsk(null)}
          onNames={(names) => onAction({ ...ask, names })}
        />
      )}
    </>
  );
}

/** Lists running bulk actions with their progress and a Cancel button. */
export function BulkProgress({
  jobs,
  onCancel,
}: {
  jobs: readonly BulkJob[];
  onCancel: (id: string) => void;
}) {
  const can = useCan();
  if (jobs.length === 0) return null;
  return (
    <ul aria-label="Bulk actions in progress" className="mb-3 grid gap-2">
      {jobs.map((job) => (
        <li
          key={job.id}
          className="flex flex-wrap items-center gap-x-4 gap-y-1 rounded-md bg-ink-3 px-4 py-2"
        >
          <span className="min-w-0 truncate font-medium">{bulkDoing(job)}</span>
          <progress
            className="meter min-w-32 flex-1"
            max={Math.max(1, job.total)}
            value={job.done}
            aria-label={bulkDoing(job)}
          />
          <span className="tabular text-ink-11">
            {`${job.done.toLocaleString()} of ${job.total.toLocaleString()}`}
          </span>
          {can(bulkPermissions[job.action.kind]) ? (
            <Button size="small" kind="ghost" onClick={() => onCancel(job.id)}>
              Cancel
            </Button>
          ) : null}
        </li>
      ))}
    </ul>
  );
}
