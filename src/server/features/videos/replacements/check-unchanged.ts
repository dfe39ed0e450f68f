import type { Trx } from "#server/db/connection.ts";
import { AppError } from "#server/lib/app-error.ts";
import type { VideoRow } from "../videos.repository.ts";
import { findOpenReplacement } from "./replacements.repository.ts";

/**
 * Checks that no change of a video's files is pending. The caller must have locked the video's row.
 * @returns the last failed change, which the next attempt replaces.
 * @throws AppError conflict.
 */
export async function checkUnchanged(trx: Trx, row: VideoRow) {
  if (row.status === "processing" || (row.progress !== null && row.progress < 1)) {
    throw new AppError("conflict", "This video is being processed. Try again when it's done.");
  }
  const open = await findOpenReplacement(trx, row.id);
  if (open !== null && open.status !== "failed") {
    throw new AppError(
      "conflict",
      open.is_renewal
        ? "This video is being reprocessed. Wait until it's done, or cancel it first."
        : "A new file for this video is already being processed.",
    );
  }
  return open;
}
