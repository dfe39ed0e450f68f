import { progressShares } from "#contract/videos/progress-shares.ts";
import type { Video } from "#contract/videos/videos.ts";
import { useRemainingTime } from "../shared/use-remaining-time.ts";

/** Shows the processing progress or a failure. Empty once the video is complete. */
export function ProcessingNote({ video, onRetry }: { video: Video; onRetry: (() => void) | null }) {
  const failure = video.failureReason ?? null;
  const fraction = video.progress ?? null;
  const left = useRemainingTime(fraction);
  if (video.status === "failed" || failure !== null) {
    return (
      <p className="mt-0.5 text-danger-text">
        {failure ?? "Processing failed."}{" "}
        {onRetry === null ? null : (
          <button
            type="button"
            className="relative font-medium underline after:absolute after:-inset-2"
            onClick={onRetry}
          >
            Retry
          </button>
        )}
      </p>
    );
  }
  if (fraction === null || fraction >= 1) return null;
  const percent = Math.round(fraction * 100);
  if (video.status === "ready") {
    return (
      <p className="tabular mt-0.5 text-xs text-ink-11">
        <span className="font-medium text-done-text">Ready</span>
        {fraction <= progressShares.ladder[0]
          ? " · larger versions follow"
          : ` · larger versions ${percent}%${left === null ? "" : ` · ${left} left`}`}
      </p>
    );
  }
  return (
    <div className="mt-1 flex flex-wrap items-center gap-x-2 text-xs text-ink-11">
      <progress
        className="meter"
        max={100}
        value={percent}
        aria-label={`Processing progress for ${video.title}`}
      />
      <span className="tabular sm:whitespace-nowrap">
        {fraction === 0 ? "Queued" : `Processing · ${percent}%`}
      </span>
      {left === null ? null : <span>{`playable in ${left}`}</span>}
    </div>
  );
}

/** Notices about source features that are dropped or changed in the renditions. */
export function MediaNotices({ video, className }: { video: Video; className: string }) {
  const notices = video.mediaNotices ?? [];
  if (notices.length === 0) return null;
  return <p className={`text-ink-11 ${className}`}>{notices.join(" ")}</p>;
}
