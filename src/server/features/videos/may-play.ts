import type { Selectable } from "kysely";
import type { Viewer } from "#server/http/access/policy.ts";
import { thumbnailFileNames } from "#contract/videos/thumbnail-files.ts";
import type { VideosTable } from "#server/db/schema.ts";

type VideoRow = Selectable<VideosTable>;

/**
 * Returns whether the viewer gets the files, captions and chapters of a video. This is the only
 * such rule. All code that sends or lists any of them asks it.
 */
export const mayPlay = (video: { isMembersOnly: boolean }, viewer: Viewer): boolean =>
  !video.isMembersOnly || viewer.isAdmin || viewer.isMember === true;

/** Duration from which a locked video shows its preview. A shorter one has little more than that. */
const previewFromS = 30;

/** Returns the preview that visitors may see of a locked video, or null. */
export const openPreviewOf = (row: Pick<VideoRow, "preview_key" | "duration_s">): string | null =>
  row.duration_s >= previewFromS ? row.preview_key : null;

/** Returns the files that visitors may see of a locked video. All others need a pass. */
export const openFilesOf = (
  row: Pick<VideoRow, "preview_key" | "duration_s" | "thumbnail_key" | "poster_key">,
): ReadonlySet<string> =>
  new Set(
    [row.thumbnail_key, row.poster_key, openPreviewOf(row)].flatMap((key) =>
      key === null ? [] : thumbnailFileNames(key),
    ),
  );
