import { z } from "zod";
import { videoTag, type PublishChanges } from "#server/db/change-tags.ts";
import type { Db } from "#server/db/connection.ts";
import { defineJob, type AnyJobDefinition } from "#server/jobs/job-definition.ts";
import { isNotFound } from "#server/lib/app-error.ts";
import type { CaptionFiles } from "./caption-files.ts";
import { joinPassages, toPassages, type CaptionPassage } from "./caption-passages.ts";
import * as repository from "./caption-search.repository.ts";

/** Updates the search text of changed captions once a minute. */
export function createCaptionSearchJob(deps: {
  db: Db;
  files: Pick<CaptionFiles, "read">;
  changed: PublishChanges;
}): AnyJobDefinition {
  const { db, files, changed } = deps;

  async function read(caption: { key: string }): Promise<CaptionPassage[]> {
    try {
      return toPassages(await files.read(caption));
    } catch (error) {
      // The captions were replaced in the meantime. That marks the video as stale again.
      if (isNotFound(error)) return [];
      throw error;
    }
  }

  return defineJob({
    name: "captions.index",
    payload: z.object({}),
    concurrency: 1,
    schedule: { cron: "* * * * *", runsAtStart: true },
    async run(_payload, { signal }) {
      while (!signal.aborted && (await repository.hasStale(db))) {
        const id = await db.transaction().execute(async (trx) => {
          const video = await repository.takeStale(trx);
          if (video === null) return null;
          const tracks = await Promise.all(video.captions.map(read));
          await repository.writePassages(trx, video.id, joinPassages(tracks));
          return video.id;
        });
        // Another process is updating the remaining videos.
        if (id === null) return;
        await changed([videoTag(id)]);
      }
    },
  });
}
