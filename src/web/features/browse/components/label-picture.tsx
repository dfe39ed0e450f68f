import { Thumbnail } from "#web/components/video/thumbnail.tsx";

/** Shows the round picture of an actor or the cover of a category. */
export function LabelPicture({ src, isRound }: { src: string | null; isRound: boolean }) {
  if (src === null) return null;
  return (
    <span
      data-cover=""
      className={
        isRound
          ? "relative size-20 overflow-hidden rounded-full bg-ink-3 sm:size-24 md:size-28"
          : "relative aspect-video w-32 overflow-hidden rounded-lg bg-ink-3 sm:w-40 md:w-52"
      }
    >
      <Thumbnail src={src} isEager />
    </span>
  );
}
