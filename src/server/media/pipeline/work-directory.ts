import type { Logger } from "../../lib/logger.ts";
import type { ToolReport } from "../find-tools.ts";
import type { MediaFacts, Ratio } from "../probe/media-facts.ts";
import type { PacketScan } from "../probe/scan.ts";
import type { MediaTools } from "../run/media-tools.ts";

/** What every stage works with. */
export interface Workshop {
  tools: MediaTools;
  report: Pick<ToolReport, "hasZscale" | "hasWebp" | "hasDeinterlacer">;
  /** Encoder threads. */
  threads: number;
  /** An empty folder, for runs that need none of their own. */
  emptyDir: string;
  logger: Logger;
}

/** One video on its way through the stages. */
export interface Workpiece {
  sourcePath: string;
  facts: MediaFacts;
  scan: PacketScan;
  /** Frame rate of every rendition. */
  fps: Ratio;
  /** Outputs go here; each stage uses names of its own. */
  workDir: string;
  signal: AbortSignal | undefined;
}
