import { Readable } from "node:stream";
import type { FastifyRequest } from "fastify";
import type { ZodTypeProvider } from "fastify-type-provider-zod";
import { z } from "zod";
import {
  checkBody,
  csvActions,
  csvKinds,
  importActions,
  importDetails,
  importFolder,
  importJob,
  importLimits,
  importList,
  importQuery,
  type ImportJob,
} from "#contract/videos/imports.ts";
import { siteImportBody, videoOrigin } from "#contract/videos/site-imports.ts";
import {
  actorOf,
  hasPermission,
  requireAction,
  requireStillAllowed,
} from "#server/http/access/policy.ts";
import type { App } from "#server/http/app.ts";
import { AppError } from "#server/lib/app-error.ts";
import { receiveToFile, tooLargeMessage } from "#server/storage/receive-file.ts";
import type { Storage } from "#server/storage/storage.ts";
import type { SettingsService } from "#server/features/settings/settings.service.ts";
import { listFolder } from "../media/import-folder.ts";
import type { SiteImports } from "../site/site-imports.service.ts";
import { outcomeFolders } from "../watch/move-files.ts";
import type { ImportsService } from "./imports.service.ts";

const tags = ["import and export"];
const params = z.object({ id: z.string().min(1).max(200) });

type FilledFields = Pick<ImportJob, "kind" | "mapping">;

interface Deps {
  imports: ImportsService;
  siteImports: Pick<SiteImports, "findOrigin">;
  settings: Pick<SettingsService, "current">;
  storage: Storage;
  importDir: string | null;
}

export function registerImportRoutes(app: App, deps: Deps): void {
  const { imports, siteImports, settings, importDir } = deps;

  /** Each kind requires its own permission. */
  async function requireKind(request: FastifyRequest, id: string): Promise<ImportJob> {
    const job = await imports.get(id);
    requireAction(request, importActions[job.kind].edit);
    return job;
  }

  /** API tokens may have the scope to edit videos but not the one to publish them. */
  function requireFields(request: FastifyRequest, { kind, mapping }: FilledFields): void {
    const publishes = mapping.includes("isPublished") || mapping.includes("visibility");
    if (kind === "videos" && publishes) requireAction(request, "content.publish");
  }

  registerFileRoutes(app, deps);

  app.post(
    "/api/admin/imports/site",
    {
      config: { policy: "content.edit" },
      schema: {
        tags,
        summary: "Check what an import of another site from the import folder would do",
        body: siteImportBody,
        response: { 202: importJob },
      },
    },
    async (request, reply) => {
      if (importDir === null) {
        throw new AppError("conflict", "This server has no import folder (IMPORT_DIR).");
      }
      if (request.body.publishes) requireAction(request, "content.publish");
      return reply.status(202).send(await imports.createSite(request.body, actorOf(request)));
    },
  );

  app.get(
    "/api/admin/videos/:id/origin",
    {
      config: { policy: "content.read" },
      schema: {
        tags: ["videos"],
        summary: "Get the platform that a video was imported from, and its ID there",
        params: z.object({ id: z.uuid() }),
        response: { 200: videoOrigin },
      },
    },
    async ({ params: { id } }) => ({ origin: await siteImports.findOrigin(id) }),
  );

  app.get(
    "/api/admin/import-folder",
    {
      config: { policy: "content.edit" },
      schema: {
        tags,
        summary: "List the video files in the import folder",
        response: { 200: importFolder },
      },
    },
    async () => listFolder(importDir, (await settings.current()).watchFolder ? outcomeFolders : []),
  );

  app.get(
    "/api/admin/imports",
    {
      config: { policy: "content.edit" },
      schema: { tags, summary: "List the latest imports", response: { 200: importList } },
    },
    async (request) => {
      const list = await imports.list();
      return list.filter(({ kind }) => hasPermission(request.user, importActions[kind].edit));
    },
  );

  app.get(
    "/api/admin/imports/:id",
    {
      config: { policy: "content.edit" },
      schema: {
        tags,
        summary: "Get an import with its first problems",
        params,
        response: { 200: importDetails },
      },
    },
    async (request) => {
      await requireKind(request, request.params.id);
      return imports.getDetails(request.params.id);
    },
  );

  app.get(
    "/api/admin/imports/:id/problems",
    {
      config: { policy: "content.edit" },
      schema: { tags, summary: "Download the rows with problems as CSV", params },
    },
    async (request, reply) => {
      await requireKind(request, request.params.id);
      void reply
        .type("text/csv; charset=utf-8")
        .header("content-disposition", 'attachment; filename="problems.csv"');
      return reply.send(Readable.from(imports.problems(request.params.id)));
    },
  );

  app.post(
    "/api/admin/imports/:id/check",
    {
      config: { policy: "content.edit" },
      schema: {
        tags,
        summary: "Check every row without changing anything",
        params,
        body: checkBody,
        response: { 202: importJob },
      },
    },
    async (request, reply) => {
      const { mapping } = request.body;
      const { kind } = await requireKind(request, request.params.id);
      requireFields(request, { kind, mapping });
      const job = await imports.check(request.params.id, mapping);
      return reply.status(202).send(job);
    },
  );

  for (const [action, summary] of [
    ["start", "Apply the rows without a problem"],
    ["cancel", "Stop an import; what is done stays done"],
  ] as const) {
    app.post(
      `/api/admin/imports/:id/${action}`,
      {
        config: { policy: "content.edit" },
        schema: { tags, summary, params, response: { 202: importJob } },
      },
      async (request, reply) => {
        const job = await requireKind(request, request.params.id);
        if (action === "start") requireFields(request, job);
        if (action === "start" && (await imports.publishes(job.id))) {
          requireAction(request, "content.publish");
        }
        return reply.status(202).send(await imports[action](request.params.id, actorOf(request)));
      },
    );
  }
}

/** Accepts the CSV file itself as the body, with any content type. */
function registerFileRoutes(app: App, { imports, storage }: Deps): void {
  void app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser("*", (_request, payload, done) => done(null, payload));
    for (const kind of csvKinds) {
      scope.withTypeProvider<ZodTypeProvider>().post(
        `/api/admin/imports/${kind}`,
        {
          config: {
            policy: csvActions[kind].edit,
            isUpload: true,
            tooLargeMessage: tooLargeMessage(importLimits.maxBytes),
          },
          bodyLimit: importLimits.maxBytes,
          schema: {
            tags,
            summary: `Upload a CSV file of ${kind} to check; the body is the file`,
            consumes: ["text/csv"],
            querystring: importQuery,
            response: { 201: importDetails },
          },
        },
        async (request, reply) => {
          if (!(request.body instanceof Readable)) {
            throw new AppError("invalid", "Send the CSV file as the request body.");
          }
          await using scratch = await storage.createScratch();
          const path = `${scratch.path}/rows.csv`;
          await receiveToFile(request.body, path, { maxBytes: importLimits.maxBytes });
          await requireStillAllowed(request);
          const file = { path, name: request.query.name ?? `${kind}.csv` };
          return await reply.status(201).send(await imports.create(kind, file, actorOf(request)));
        },
      );
    }
  });
}
