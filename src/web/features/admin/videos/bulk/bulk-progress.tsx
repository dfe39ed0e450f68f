import type { BulkJob } from "#contract/videos/admin-videos.ts";
import { Button } from "#web/components/ui/button.tsx";
import { bulkDoing } from "./bulk-texts.ts";

/** Lists running bulk actions with their progress and a Cancel button. */
export function BulkProgress({
  jobs,
  onCancel,
}: {
  jobs: readonly BulkJob[];
  onCancel: (id: string) => void;
}) {
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
          <Button size="small" kind="ghost" onClick={() => onCancel(job.id)}>
            Cancel
          </Button>
        </li>
      ))}
    </ul>
  );
}
