import { watchedFolder as watchedFolderSchema } from "#contract/videos/watched-folder.ts";
import { actorOf } from "#server/http/access/policy.ts";
import type { App } from "#server/http/app.ts";
import { noBody } from "#server/http/openapi.ts";
import type { WatchedFolderService } from "./watched-folder.service.ts";

const tags = ["import and export"];

/** Routes of the watched import folder. The settings turn it on. */
export function registerWatchRoutes(app: App, watchedFolder: WatchedFolderService): void {
  app.get(
    "/api/admin/watched-folder",
    {
      config: { policy: "content.edit" },
      schema: {
        tags,
        summary: "Get the last look into the watched folder, and its latest files",
        response: { 200: watchedFolderSchema },
      },
    },
    () => watchedFolder.getState(),
  );

  app.delete(
    "/api/admin/watched-folder/failed",
    {
      config: { policy: "content.edit" },
      schema: {
        tags,
        summary: "Clear the list of failed files; those still in their place are tried again",
        response: { 204: noBody },
      },
    },
    async (request, reply) => {
      await watchedFolder.clearFailed(actorOf(request));
      return reply.status(204).send();
    },
  );
}
