import { stat } from "node:fs/promises";
import type { KeptPart } from "#contract/videos/kept-parts.ts";
import type { Logger } from "#server/lib/logger.ts";
import type { ToolReport } from "../find-tools.ts";
import type { FilterAbilities } from "../plan/video-filter.ts";
import type { MediaFacts, Ratio } from "../facts/media-facts.ts";
import type { PacketScan } from "../facts/packet-scan.ts";
import type { MediaTools } from "../run/media-tools.ts";
import { UnverifiedOutputError } from "../run/media-process-error.ts";

/** Tools and settings shared by all steps. */
export interface PipelineContext {
  tools: MediaTools;
  report: ToolReport & FilterAbilities;
  /** Number of encoder threads. */
  threads: number;
  /** Empty folder for runs without a work directory. */
  emptyDir: string;
  logger: Logger;
}

/** Source file to work on. */
export interface SourceJob {
  sourcePath: string;
  facts: MediaFacts;
  /** Parts to keep of the source; null or absent for all of it. */
  keptParts?: readonly KeptPart[] | null;
  /** Work directory of this run, on a disk with enough space for the outputs. */
  workDir: string;
  signal?: AbortSignal;
}

/** Video processed by the steps. */
export interface SourceVideo {
  sourcePath: string;
  facts: MediaFacts;
  scan: PacketScan;
  /** Frame rate of every rendition. */
  fps: Ratio;
  /** Work directory for the outputs. Each step uses unique names. */
  workDir: string;
  signal: AbortSignal | undefined;
}

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
