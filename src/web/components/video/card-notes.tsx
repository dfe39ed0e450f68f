import { formatDuration, spokenDuration } from "#web/lib/format/format.ts";

/** Shows the duration of a video on its thumbnail. */
export function DurationPill({ durationS }: { durationS: number }) {
  return (
    <span className="tabular absolute inset-e-1.5 bottom-1.5 rounded-sm bg-video/80 px-1.5 py-0.5 text-xs font-medium text-paper">
      <span aria-hidden="true">{formatDuration(durationS)}</span>
      <span className="sr-only">{spokenDuration(durationS)}</span>
    </span>
  );
}

/** Shows why a video is in a list. */
export function Why({ text }: { text: string | null }) {
  return text === null ? null : (
    <bdi className="tabular mt-1 block text-xs text-ink-11">{text}</bdi>
  );
}
