import { z } from "zod";
import type { ServerResponse } from "node:http";
import type { ChangeEvents } from "#server/db/change-events.ts";
import type { Db } from "#server/db/connection.ts";
import type { Clock } from "#server/lib/clock.ts";
import type { Logger } from "#server/lib/logger.ts";
import type { Storage } from "#server/storage/storage.ts";
import type { AuthService } from "#server/features/auth/auth.service.ts";
import {
  videoStatistics,
  adminStatistics,
  adminStorage,
  adminSystem,
  statisticsDays,
} from "#contract/lists/admin-statistics.ts";
import type { Feature, App } from "#server/http/app.ts";
import { AppError } from "#server/lib/app-error.ts";
import { queryInt } from "#contract/lists/paging.ts";
import { adminStats } from "#contract/lists/statistics.ts";
import { findLastBackup } from "#server/processes/last-backup.repository.ts";
import { readWatchState } from "#server/processes/watch-state.repository.ts";
import { addTickets } from "#server/http/access/page-token.ts";
import { hasPermission, notSignedInError } from "#server/http/access/policy.ts";
import { baseHeaders } from "#server/http/access/security-headers.ts";
import { readCurve, readSources } from "./audience.repository.ts";
import { registerAudienceRoutes } from "./audience.routes.ts";
import { createEventHub, type EventHub } from "./event-hub.ts";
import { readOrigins, readRetention, readVideoDays } from "./video-statistics.repository.ts";
import {
  listLargestVideos,
  listUsage,
  readTrashBytes,
  readQueue,
  readStatistics,
  readStoredBytes,
  readTotals,
} from "./statistics.repository.ts";

/** Maximum duration of a stream. The browser then opens a new one. */
const maxStreamMs = 5 * 60 * 1000;
/**
 * Interval of heartbeats. They keep proxies from closing a silent connection and end streams of
 * expired sessions.
 */
const heartbeatEveryMs = 20_000;

/**
 * Ends a stream. A client that doesn't read loses what it hasn't received. Otherwise its connection
 * would stay open, and a later write would be an error.
 */
function endStream(response: ServerResponse): void {
  if (response.writableLength > 0) response.destroy();
  else response.end();
}

/**
 * Server-sent events for the back office: changes to videos and bulk actions. A stream ends with
 * the session that opened it, even if another process ends the session.
 */
export function registerEventRoutes(
  app: App,
  deps: {
    hub: EventHub;
    auth: Pick<AuthService, "findUser">;
    changeEvents: Pick<ChangeEvents, "onSessionsEnded">;
    logger: Logger;
  },
): void {
  const { hub, auth, changeEvents, logger } = deps;
  /** Open streams with their session tokens. */
  const open = new Map<ServerResponse, string>();

  async function endWithoutSession(response: ServerResponse, token: string): Promise<void> {
    try {
      if (!hasPermission(await auth.findUser(token), "content.read")) endStream(response);
    } catch (error) {
      logger.debug({ err: error }, "couldn't check the session of an event stream");
    }
  }

  changeEvents.onSessionsEnded(() => {
    for (const [response, token] of open) void endWithoutSession(response, token);
  });

  app.addHook("preClose", async () => {
    hub.stop();
    for (const response of open.keys()) endStream(response);
  });

  app.get(
    "/api/admin/events",
    {
      config: { policy: "content.read" },
      schema: {
        tags: ["admin"],
        summary: "Stream changes of videos and bulk actions as server-sent events",
      },
    },
    (request, reply) => {
      const { sessionToken: token, mediaTicket } = request;
      if (token === null) throw notSignedInError();
      const present = (event: unknown) =>
        mediaTicket === null ? event : addTickets(event, mediaTicket);
      reply.hijack();
      const response = reply.raw;
      response.writeHead(200, {
        ...baseHeaders,
        "content-type": "text/event-stream; charset=utf-8",
        "cache-control": "private, no-store",
        "x-accel-buffering": "no",
        "x-request-id": request.id,
      });
      // Otherwise a HEAD request would wait until the stream ends.
      if (request.method === "HEAD") return void response.end();
      // The client disconnected during the policy check, so "close" won't be emitted again.
      if (response.destroyed) return;
      response.write("retry: 2000\n\n");
      open.set(response, token);
      // The session may have ended between the policy check and this line.
      void endWithoutSession(response, token);
      const unsubscribe = hub.subscribe((event) => {
        // A client that reads too slowly misses events instead of filling memory.
        if (response.writableLength < 1_000_000)
          response.write(`data: ${JSON.stringify(present(event))}\n\n`);
      });
      const heartbeat = setInterval(() => {
        response.write(": alive\n\n");
        void endWithoutSession(response, token);
      }, heartbeatEveryMs);
      const end = setTimeout(() => endStream(response), maxStreamMs);
      response.on("close", () => {
        clearInterval(heartbeat);
        clearTimeout(end);
        unsubscribe();
        open.delete(response);
      });
    },
  );
}

/** Routes of the dashboard's data. */
function registerStatisticsRoutes(
  app: App,
  deps: { db: Db; clock: Clock; storage: Storage },
): void {
  const { db, clock, storage } = deps;
  const tags = ["admin"];

  app.get(
    "/api/admin/stats",
    {
      config: { policy: "statistics.read" },
      schema: { tags, summary: "Get the totals of the site", response: { 200: adminStats } },
    },
    () => readTotals(db),
  );

  app.get(
    "/api/admin/statistics",
    {
      config: { policy: "statistics.read" },
      schema: {
        tags,
        summary: "Get plays, watch time, likes and advertising per day",
        querystring: z.object({ days: queryInt(1, 365) }),
        response: { 200: adminStatistics },
      },
    },
    (request) => {
      const days = statisticsDays.find((choice) => choice === (request.query.days ?? 30));
      if (days === undefined) {
        const message = `must be one of ${statisticsDays.join(", ")}`;
        throw new AppError("invalid", `days: ${message}`, { issues: [{ path: "days", message }] });
      }
      return readStatistics(db, clock.date(), days);
    },
  );

  app.get(
    "/api/admin/system",
    {
      config: { policy: "statistics.read" },
      schema: {
        tags,
        summary: "Get the state of the processing queue and storage",
        response: { 200: adminSystem },
      },
    },
    async () => {
      const [queue, stored, freeBytes, lastBackup, watched] = await Promise.all([
        readQueue(db),
        readStoredBytes(db),
        storage.findFreeBytes(),
        findLastBackup(db),
        readWatchState(db),
      ]);
      const { isOn, lookedAt, ...state } = watched;
      return {
        ...{ queue, storage: { ...stored, freeBytes } },
        lastBackupAt: lastBackup?.toISOString() ?? null,
        watchedFolder: isOn ? { ...state, lookedAt: lookedAt?.toISOString() ?? null } : null,
      };
    },
  );

  app.get(
    "/api/admin/storage",
    {
      config: { policy: "statistics.read" },
      schema: {
        tags,
        summary: "Get the space that media files use, by user and by video",
        response: { 200: adminStorage },
      },
    },
    async () => {
      const [stored, trashBytes, freeBytes, users, videos] = await Promise.all([
        readStoredBytes(db),
        readTrashBytes(db),
        storage.findFreeBytes(),
        listUsage(db),
        listLargestVideos(db),
      ]);
      return { ...stored, trashBytes, freeBytes, users, videos };
    },
  );
}

const days = 30;

/** Route of one video's statistics. */
function registerVideoStatisticsRoute(app: App, { db, clock }: { db: Db; clock: Clock }): void {
  app.get(
    "/api/admin/videos/:id/statistics",
    {
      config: { policy: "statistics.read" },
      schema: {
        tags: ["admin videos"],
        summary:
          "Get a video's plays and watch time per day, watched parts, retention, and traffic sources",
        params: z.object({ id: z.uuid() }),
        response: { 200: videoStatistics },
      },
    },
    async (request) => {
      const { id } = request.params;
      const range = { now: clock.date(), days };
      const [byDay, retention, origins, curve, { countries, devices }] = await Promise.all([
        readVideoDays(db, id, range),
        readRetention(db, id),
        readOrigins(db, id),
        readCurve(db, id),
        readSources(db, id, range),
      ]);
      if (retention === null) throw new AppError("not_found", "Video not found");
      return { days: byDay, ...retention, origins, curve, countries, devices };
    },
  );
}

/** Back-office dashboard: totals, statistics and live events. */
export function createStatisticsFeature(deps: {
  db: Db;
  clock: Clock;
  logger: Logger;
  storage: Storage;
  auth: AuthService;
  changeEvents: ChangeEvents;
}): Feature {
  return {
    registerRoutes(app) {
      registerStatisticsRoutes(app, deps);
      registerVideoStatisticsRoute(app, deps);
      registerAudienceRoutes(app, deps);
      registerEventRoutes(app, { ...deps, hub: createEventHub(deps) });
    },
  };
}
