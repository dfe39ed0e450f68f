import { Thumbnail } from "#web/components/video/thumbnail.tsx";

/** Shows the round picture of an actor or the cover of a category. */
export function LabelPicture({ src, isRound }: { src: string | null; isRound: boolean }) {
  if (src === null) return null;
  return (
    <span
      data-cover=""
      className={
        isRound
          ? "relative aspect-square w-20 max-w-full overflow-hidden rounded-full bg-ink-3 sm:w-24 md:w-28"
          : "relative aspect-video w-32 max-w-full overflow-hidden rounded-lg bg-ink-3 sm:w-40 md:w-52"
      }
    >
      <Thumbnail src={src} isEager />
    </span>
  );
}
