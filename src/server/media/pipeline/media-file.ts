import { stat } from "node:fs/promises";
import { UnverifiedOutputError } from "../run/media-process-error.ts";

export type MediaRole =
  | "progressive"
  | "progressive_small"
  | "hls_master"
  | "hls_playlist"
  | "hls_media"
  | "poster"
  | "thumbnail"
  /** Another size or type of the thumbnail, in its folder. */
  | "thumbnail_variant"
  | "preview"
  | "storyboard"
  | "storyboard_sheet"
  /** Sound for podcast apps. */
  | "audio";

/** Finished local file. The caller stores it under `name` in the video's folder. */
export interface MediaFile {
  role: MediaRole;
  /**
   * Name such as "progressive.mp4" or "hls/v720.mp4". Files in a folder refer to each other by
   * name.
   */
  name: string;
  path: string;
  sizeBytes: number;
  width: number | null;
  height: number | null;
  durationS: number | null;
}

/** Describes an existing file. Throws if it is missing or empty. */
export async function describeFile(
  role: MediaRole,
  name: string,
  path: string,
  size: { width: number; height: number; durationS?: number } | null = null,
): Promise<MediaFile> {
  const { size: sizeBytes } = await stat(path);
  if (sizeBytes === 0) throw new UnverifiedOutputError(name, "it is empty", false);
  return {
    role,
    name,
    path,
    sizeBytes,
    width: size?.width ?? null,
    height: size?.height ?? null,
    durationS: size?.durationS ?? null,
  };
}
