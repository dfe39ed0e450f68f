import { Thumbnail } from "../../../components/video/thumbnail.tsx";
import type { CardVideo } from "../../../lib/lists/card-video.ts";

/** The most viewed of these videos that has a thumbnail. */
function findCover(videos: readonly CardVideo[]): string | null {
  const pictured = videos.filter(({ thumbnail }) => thumbnail !== null);
  return pictured.toSorted((a, b) => b.views - a.views)[0]?.thumbnail ?? null;
}

/** The picture of an actor, round, or a cover from the best of the listed videos. */
export function LabelPicture({
  imageUrl,
  videos,
  isRound,
}: {
  imageUrl: string | null;
  videos: readonly CardVideo[];
  isRound: boolean;
}) {
  const src = imageUrl ?? findCover(videos);
  if (src === null) return null;
  return (
    <span
      data-cover=""
      className={
        isRound
          ? "relative size-24 overflow-hidden rounded-full bg-ink-3 md:size-28"
          : "relative aspect-video w-40 overflow-hidden rounded-lg bg-ink-3 md:w-52"
      }
    >
      <Thumbnail src={src} isEager />
    </span>
  );
}
