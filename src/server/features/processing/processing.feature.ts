import type { Feature } from "../../http/feature.ts";
import type { Logger } from "../../lib/logger.ts";
import type { Media } from "../../media/media.ts";
import type { Storage } from "../../storage/storage.ts";
import type { AuthService } from "../auth/auth.service.ts";
import type { ProcessingStateService } from "../library/processing-state/processing-state.service.ts";
import { createProcessingJobs } from "./processing.jobs.ts";
import { createSweepJob } from "./sweep.jobs.ts";

/** From an uploaded file to every rendition, and the repair of what a crash leaves behind. */
export function createProcessingFeature(deps: {
  storage: Storage;
  media: Media;
  processingState: ProcessingStateService;
  auth: Pick<AuthService, "deleteExpired">;
  logger: Logger;
}): Feature {
  const { processingState: state } = deps;
  return {
    jobs: [...createProcessingJobs({ ...deps, state }), createSweepJob({ ...deps, state })],
  };
}
