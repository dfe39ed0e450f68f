import type { Video } from "#contract/videos/videos.ts";

/** Notices about source features that are dropped or changed in the renditions. */
export function MediaNotices({ video, className }: { video: Video; className: string }) {
  const notices = video.mediaNotices ?? [];
  if (notices.length === 0) return null;
  return <p className={`text-ink-11 ${className}`}>{notices.join(" ")}</p>;
}
