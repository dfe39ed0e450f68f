import { z } from "zod";
import {
  actionBody,
  assignees,
  blockedFiles,
  noteBody,
  reportDetails,
  reportList,
  reportPatch,
  reportQuery,
} from "#contract/visitors/reports.ts";
import { actorOf, hasPermission, userOf, type SignedInUser } from "#server/http/access/policy.ts";
import type { App } from "#server/http/app.ts";
import { noBody } from "#server/http/openapi.ts";
import type { BlockedFilesService } from "./blocked-files.service.ts";
import type { ReportsService } from "./reports.service.ts";

const tags = ["reports"];
const params = z.object({ id: z.string().min(1).max(200) });
const reads = { policy: "reports.read" } as const;
const handles = { policy: "reports.handle" } as const;

const readerOf = (user: SignedInUser) => ({
  id: user.id,
  canHandle: hasPermission(user, "reports.handle"),
});

/** Moderation queue. */
export function registerReportRoutes(app: App, reports: ReportsService): void {
  app.get(
    "/api/admin/reports",
    {
      config: reads,
      schema: {
        tags,
        summary: "List reports and takedown notices",
        querystring: reportQuery,
        response: { 200: reportList },
      },
    },
    (request) => reports.list(request.query, readerOf(userOf(request))),
  );

  app.get(
    "/api/admin/reports/assignees",
    {
      config: handles,
      schema: { tags, summary: "List users who may handle reports", response: { 200: assignees } },
    },
    () => reports.listAssignees(),
  );

  app.get(
    "/api/admin/reports/:id",
    {
      config: reads,
      schema: {
        tags,
        summary: "Get a report with its notes",
        params,
        response: { 200: reportDetails },
      },
    },
    (request) => reports.get(request.params.id, readerOf(userOf(request))),
  );

  app.put(
    "/api/admin/reports/:id",
    {
      config: handles,
      schema: {
        tags,
        summary: "Assign, review or reopen a report",
        params,
        body: reportPatch,
        response: { 200: reportDetails },
      },
    },
    async (request) => {
      await reports.change(request.params.id, request.body, actorOf(request));
      return reports.get(request.params.id, readerOf(userOf(request)));
    },
  );

  app.delete(
    "/api/admin/reports/:id",
    {
      config: handles,
      schema: {
        tags,
        summary: "Delete a resolved report with its notes and its sender's address",
        params,
        response: { 204: noBody },
      },
    },
    async (request, reply) => {
      await reports.remove(request.params.id, actorOf(request));
      return reply.status(204).send();
    },
  );

  app.post(
    "/api/admin/reports/:id/notes",
    {
      config: { ...handles, isIdempotent: true },
      schema: {
        tags,
        summary: "Add a note for other moderators",
        params,
        body: noteBody,
        response: { 201: reportDetails },
      },
    },
    async (request, reply) => {
      await reports.addNote(request.params.id, request.body.text, actorOf(request));
      const details = await reports.get(request.params.id, readerOf(userOf(request)));
      return reply.status(201).send(details);
    },
  );

  app.post(
    "/api/admin/reports/:id/action",
    {
      config: handles,
      schema: {
        tags,
        summary:
          "Dismiss, or unpublish or remove the video, or block its file; show or remove a comment",
        params,
        body: actionBody,
        response: { 200: reportDetails },
      },
    },
    async (request) => {
      await reports.act(request.params.id, request.body, actorOf(request));
      return reports.get(request.params.id, readerOf(userOf(request)));
    },
  );
}

/** Files that can't be uploaded again. */
export function registerBlockedFileRoutes(app: App, files: BlockedFilesService): void {
  app.get(
    "/api/admin/blocked-files",
    {
      config: reads,
      schema: {
        tags,
        summary: "List blocked files",
        response: { 200: blockedFiles },
      },
    },
    () => files.list(),
  );

  app.delete(
    "/api/admin/blocked-files/:id",
    {
      config: handles,
      schema: {
        tags,
        summary: "Unblock a file",
        params: z.object({ id: z.string().regex(/^[0-9a-f-]{32,64}$/) }),
        response: { 204: noBody },
      },
    },
    async (request, reply) => {
      await files.allow(request.params.id, actorOf(request));
      return reply.status(204).send();
    },
  );
}
