import type { Logger } from "#server/lib/logger.ts";
import type { ToolReport } from "../find-tools.ts";
import type { FilterAbilities } from "../plan/video-filter.ts";
import type { MediaFacts, Ratio } from "../facts/media-facts.ts";
import type { PacketScan } from "../facts/packet-scan.ts";
import type { MediaTools } from "../run/media-tools.ts";

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
