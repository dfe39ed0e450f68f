import type { Logger } from "#server/lib/logger.ts";
import type { ToolReport } from "../find-tools.ts";
import type { MediaFacts, Ratio } from "../facts/media-facts.ts";
import type { PacketScan } from "../facts/packet-scan.ts";
import type { MediaTools } from "../run/media-tools.ts";

/** The tools and settings that every step uses. */
export interface PipelineContext {
  tools: MediaTools;
  report: Pick<ToolReport, "hasZscale" | "hasWebp" | "hasAvif" | "hasDeinterlacer" | "hasSvtAv1">;
  /** Encoder threads. */
  threads: number;
  /** An empty folder, for runs without a work directory of their own. */
  emptyDir: string;
  logger: Logger;
}

/** The video that the steps process. */
export interface SourceVideo {
  sourcePath: string;
  facts: MediaFacts;
  scan: PacketScan;
  /** Frame rate of every rendition. */
  fps: Ratio;
  /** Work directory for the outputs; each step uses names of its own. */
  workDir: string;
  signal: AbortSignal | undefined;
}
