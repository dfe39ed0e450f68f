import { limits } from "#contract/limits.ts";
import { countOf } from "#web/lib/format/english-counts.ts";
import type { BulkAction, BulkJob } from "#contract/videos/admin-videos.ts";

const videos = (count: number) => countOf(count, "video");

/** Rules about who may embed a video. */
export const embeddingTexts = {
  label: "Embedding",
  site: "As the site",
  any: "Any site",
  nobody: "Nobody",
} as const;

/** Returns a question such as "Publish 12 videos?" */
export function bulkQuestion(action: BulkAction, count: number): string {
  switch (action.kind) {
    case "publish":
      return `Are you sure you want to publish ${videos(count)}?`;
    case "unpublish":
      return `Are you sure you want to unpublish ${videos(count)}?`;
    case "delete":
      return `Are you sure you want to delete ${videos(count)}? This action cannot be undone.`;
    case "reprocess":
      return `Reprocess ${videos(count)}?`;
    case "set_premium":
      return action.isPremium
        ? `Mark ${videos(count)} as premium?`
        : `Mark ${videos(count)} as free?`;
    case "set_embedding":
      return `Set embedding of ${videos(count)} to “${embeddingTexts[action.embedding]}”?`;
    case "add_labels":
      return `Add ${action.label} to ${videos(count)}?`;
    case "remove_labels":
      return `Remove ${action.label} from ${videos(count)}?`;
    default:
      return action satisfies never;
  }
}

/** Returns the label of a running action, such as "Publishing". */
export function bulkDoing({ action }: BulkJob): string {
  switch (action.kind) {
    case "publish":
      return "Publishing";
    case "unpublish":
      return "Unpublishing";
    case "delete":
      return "Deleting";
    case "reprocess":
      return "Queueing videos for reprocessing";
    case "set_premium":
      return action.isPremium ? "Marking as premium" : "Marking as free";
    case "set_embedding":
      return `Setting embedding to “${embeddingTexts[action.embedding]}”`;
    case "add_labels":
      return `Adding ${action.label} (${action.names.join(", ")})`;
    case "remove_labels":
      return `Removing ${action.label} (${action.names.join(", ")})`;
    default:
      return action satisfies never;
  }
}

/** Returns the result of a finished action. */
export function bulkResult(job: BulkJob): string {
  const count = `${videos(job.changed)} changed`;
  if (job.state === "cancelled") return `Cancelled: ${count}. All others are unchanged.`;
  if (job.state === "failed") return `${job.failureReason ?? "Failed."} ${count}.`;
  if (job.action.kind === "reprocess") {
    return `Queued ${videos(job.changed)} for reprocessing, after new uploads.`;
  }
  const left = job.total - job.changed;
  if (left === 0) return `Done: ${count}.`;
  const { action } = job;
  const full =
    action.kind === "add_labels"
      ? ` or at the limit of ${limits.labelsPerVideoMax} ${action.label}`
      : "";
  return `Done: ${count}, ${left.toLocaleString()} already up to date${full}.`;
}
