import { BaseSequencer, type TestSpecification } from "vitest/node";

/** Long test files, longest first. They would delay the end of the run if they started last. */
const order: Record<string, readonly string[]> = {
  long: [
    "lists/video-lists.long.test.ts",
    "pipeline/process-samples.long.test.ts",
    "engine/engine.long.test.ts",
    "lists/list-plans.long.test.ts",
    "pipeline/playable.step.long.test.ts",
    "sandbox/sandbox.long.test.ts",
    "pipeline/process-video.long.test.ts",
    "run/hostile-input.long.test.ts",
    "run/run-process.long.test.ts",
  ],
  "unit-isolated": ["auth/sign-in-limiter.test.ts", "auth/auth.test.ts"],
  unit: [
    "access/authorisation.test.ts",
    "limits/write-limits.test.ts",
    "bulk/bulk.test.ts",
    "feed/feed.service.test.ts",
    "ads/ads.test.ts",
    "db/migrate.test.ts",
    "media/picture.test.ts",
    "auth/sessions.test.ts",
  ],
  // Its environment has different options, so it gets its own worker.
  "unit-document": ["components/isolated-frame.test.tsx"],
  e2e: [
    "ads/video.e2e.ts",
    "public/survives-kill.e2e.ts",
    "public/access.e2e.ts",
    "admin/upload-to-watch.e2e.ts",
    "feed/memory.e2e.ts",
    "admin/pages.e2e.ts",
    "admin/videos.e2e.ts",
    "admin/upload.e2e.ts",
    "admin/labels.e2e.ts",
    "feed/moves.e2e.ts",
    "player/first-frame.e2e.ts",
    "feed/content.e2e.ts",
    "ads/slots.e2e.ts",
    "ads/back-office.e2e.ts",
    "admin/shell.e2e.ts",
    "feed/playback.e2e.ts",
  ],
  cluster: [
    "deaths.cluster.ts",
    "faults.cluster.ts",
    "site-on-s3.cluster.ts",
    "upgrade.cluster.ts",
  ],
};
const projects = Object.keys(order);

/**
 * Runs these files first, then the others in the usual order (large files first), project by
 * project.
 */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId, project }: TestSpecification): number => {
      const names = order[project.name] ?? [];
      const at = names.findIndex((name) => moduleId.endsWith(name));
      // Vitest runs `e2e` after the others, as a separate group.
      return projects.indexOf(project.name) * 1000 + (at === -1 ? 999 : at);
    };
    return (await super.sort(files)).toSorted((a, b) => rank(a) - rank(b));
  }
}
