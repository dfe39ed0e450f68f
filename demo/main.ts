import { readProcessArguments } from "#server/lib/command-line.mjs";
import { startServer } from "#server/start-server.ts";
import { seedDemoAds } from "./demo-ads.ts";
import { holdJob } from "./hold-job.ts";
import { addSiteLife } from "./site-life.ts";
import { seedDemo } from "./seed-demo.ts";

readProcessArguments({
  name: "node demo/main.ts",
  summary: "Starts the site and fills an empty one with sample videos.",
  examples: ["node demo/main.ts"],
});

/** Jobs that no card needs, because every clip is playable and comes with a thumbnail. */
const laterJobs = ["video.encode", "video.encode-long", "video.finish"];

/**
 * `npm run demo`: starts the server, which then fills an empty site with the demonstration
 * catalogue. Further pictures and renditions wait until the catalogue is complete, so that
 * generating clips has all cores.
 */
const seeded = Promise.withResolvers<void>();

await startServer({
  adaptJob: (job) => (laterJobs.includes(job.name) ? holdJob(job, seeded.promise) : job),
  async onReady({ context, say, signal }) {
    const shared = { ...context, ffmpegPath: context.media.report.paths.ffmpeg, signal };
    try {
      await seedDemo({
        ...shared,
        say,
        seedAds: (workDir) => seedDemoAds({ ...shared, workDir }),
        seedLife: (clips) => addSiteLife(context, clips),
      });
    } catch (error) {
      if (!signal.aborted) {
        context.logger.error({ err: error }, "the demonstration catalogue stopped");
      }
    }
    seeded.resolve();
  },
});
