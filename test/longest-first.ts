import { BaseSequencer, type TestSpecification } from "vitest/node";

/**
 * Ends of the paths of long test files, longest first. They would delay the end of the run if they
 * started last.
 */
export const longestFiles: Readonly<Record<string, readonly string[]>> = {
  long: [
    "ladder/make-efficient.long.test.ts",
    "pipeline/process-samples.long.test.ts",
    "server/processes/processes.long.test.ts",
    "pipeline/playable.step.long.test.ts",
    "query/video-lists.long.test.ts",
    "engine/engine.long.test.ts",
    "media/media.long.test.ts",
    "moderation/similar-files.long.test.ts",
    "server/admin-cli.long.test.ts",
    "pipeline/full-disk.long.test.ts",
    "pipeline/process-video.corpus.long.test.ts",
  ],
  "unit-isolated": ["auth/auth.test.ts", "auth/sign-in-limiter.test.ts"],
  unit: [
    "access/authorisation.test.ts",
    "db/change-events.test.ts",
    "db/migrate.test.ts",
    "db/connection.test.ts",
    "processing/processing.test.ts",
    "server/open-storage.test.ts",
    "serves/ad-reservations.test.ts",
    "feed/feed.service.test.ts",
    "http/request-target.test.ts",
  ],
  // Its environment has different options, so it gets its own worker.
  "unit-document": ["components/isolated-frame.test.tsx"],
  e2e: [
    "engines/firefox.e2e.ts",
    "engines/webkit.e2e.ts",
    "admin/pages.e2e.ts",
    "public/survives-kill.e2e.ts",
    "engines/chromium.e2e.ts",
    "ads/video.e2e.ts",
    "player/third-party.e2e.ts",
    "player/page.e2e.ts",
    "player/av1.e2e.ts",
    "feed/moves.e2e.ts",
    "admin/upload.e2e.ts",
    "admin/video-details.e2e.ts",
    "ads/breaks.e2e.ts",
    "admin/shell.e2e.ts",
    "feed/ads.e2e.ts",
    "feed/content.e2e.ts",
    "feed/memory.e2e.ts",
  ],
  cluster: [
    "deaths.cluster.ts",
    "faults.cluster.ts",
    "upgrade.cluster.ts",
    "site-on-s3.cluster.ts",
    "container.cluster.ts",
    "rolling-restart.cluster.ts",
    "hot-reload.cluster.ts",
  ],
};
const projects = Object.keys(longestFiles);

/**
 * Runs these files first, then the others in the usual order (large files first), project by
 * project.
 */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId, project }: TestSpecification): number => {
      const names = longestFiles[project.name] ?? [];
      const at = names.findIndex((name) => moduleId.endsWith(name));
      // Vitest runs `e2e` after the others, as a separate group.
      return projects.indexOf(project.name) * 1000 + (at === -1 ? 999 : at);
    };
    return (await super.sort(files)).toSorted((a, b) => rank(a) - rank(b));
  }
}
