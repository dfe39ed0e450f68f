import type { Feature } from "../../http/feature.ts";
import { createProcessingJobs } from "./processing.jobs.ts";
import { createSweepJob } from "./sweep.jobs.ts";

/** From an uploaded file to every rendition, and the clean-up of what a crash left behind. */
export function createProcessingFeature(
  deps: Parameters<typeof createProcessingJobs>[0] & Parameters<typeof createSweepJob>[0],
): Feature {
  return { jobs: [...createProcessingJobs(deps), createSweepJob(deps)] };
}
