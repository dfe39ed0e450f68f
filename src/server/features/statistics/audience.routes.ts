import type { FastifyReply } from "fastify";
import { z } from "zod";
import {
  siteAudience,
  statisticsTables,
  type SiteAudience,
} from "#contract/lists/admin-statistics.ts";
import { queryInt } from "#contract/lists/paging.ts";
import { binCount } from "#contract/videos/watched-bins.ts";
import type { Db } from "#server/db/connection.ts";
import type { App } from "#server/http/app.ts";
import { AppError } from "#server/lib/app-error.ts";
import type { Clock } from "#server/lib/clock.ts";
import { csvLine } from "#server/lib/write-csv.ts";
import { readCurve, readSources } from "./audience.repository.ts";
import { readStatistics } from "./statistics.repository.ts";
import { findDuration, readVideoDays } from "./video-statistics.repository.ts";

type Table = (typeof statisticsTables)[number];
type Row = readonly (string | number)[];

const percent = (share: number) => (share * 100).toFixed(2);

/** Returns the rows of the curves. Below `minCurvePlays` there are none. */
function curveRows({ curve: { parts } }: Pick<SiteAudience, "curve">, durationS: number | null) {
  const head = ["from_percent", "from_s", "watching_percent", "replaying_percent"];
  const rows = (parts?.watching ?? []).map((share, at): Row => {
    const fromS = durationS === null ? "" : ((at * durationS) / binCount).toFixed(2);
    return [(at * 100) / binCount, fromS, percent(share), percent(parts?.replays[at] ?? 0)];
  });
  return [head, ...rows];
}

function sourceRows({
  origins,
  countries,
  devices,
}: Pick<SiteAudience, "origins" | "countries" | "devices">): Row[] {
  return [
    ["kind", "name", "plays"],
    ...origins.map(({ origin, plays }): Row => ["origin", origin, plays]),
    ...countries.map(({ name, plays }): Row => ["country", name, plays]),
    ...devices.map(({ device, plays }): Row => ["device", device, plays]),
  ];
}

const sendCsv = (reply: FastifyReply, name: string, rows: readonly Row[]) =>
  reply
    .type("text/csv; charset=utf-8")
    .header("content-disposition", `attachment; filename="${name}.csv"`)
    .header("cache-control", "no-store")
    .send(rows.map((row) => csvLine(row.map(String))).join(""));

const tableQuery = z.object({ table: z.enum(statisticsTables).default("curve") });
const daysQuery = z.object({ days: queryInt(1, 90) });

/** Routes about what visitors watched, of one video as CSV and of the whole site. */
export function registerAudienceRoutes(app: App, { db, clock }: { db: Db; clock: Clock }): void {
  const config = { policy: "statistics.read" } as const;
  const defaultDays = 30;

  app.get(
    "/api/admin/statistics/audience",
    {
      config,
      schema: {
        tags: ["admin"],
        summary: "Get which parts of videos were watched, and origins, countries and devices",
        querystring: daysQuery,
        response: { 200: siteAudience },
      },
    },
    async ({ query: { days = defaultDays } }) => ({
      curve: await readCurve(db, null),
      ...(await readSources(db, null, { now: clock.date(), days })),
    }),
  );

  const siteRows: Record<Table, (days: number) => Promise<readonly Row[]>> = {
    curve: async () => curveRows({ curve: await readCurve(db, null) }, null),
    sources: async (days) => sourceRows(await readSources(db, null, { now: clock.date(), days })),
    days: async (days) => [
      ["day", "plays", "watch_time_s"],
      ...(await readStatistics(db, clock.date(), days)).days.map((day): Row => [
        day.date,
        day.plays,
        day.watchTimeS,
      ]),
    ],
  };

  app.get(
    "/api/admin/statistics.csv",
    {
      config,
      schema: {
        tags: ["admin"],
        summary: "Download one table of the site's statistics as CSV",
        querystring: tableQuery.extend(daysQuery.shape),
      },
    },
    async ({ query: { table, days = defaultDays } }, reply) =>
      sendCsv(reply, `site-${table}`, await siteRows[table](days)),
  );

  app.get(
    "/api/admin/videos/:id/statistics.csv",
    {
      config,
      schema: {
        tags: ["admin videos"],
        summary: "Download one table of a video's statistics as CSV",
        params: z.object({ id: z.uuid() }),
        querystring: tableQuery,
      },
    },
    async ({ params: { id }, query: { table } }, reply) => {
      const durationS = await findDuration(db, id);
      if (durationS === null) throw new AppError("not_found", "Video not found");
      const days = { now: clock.date(), days: defaultDays };
      const read: Record<Table, () => Promise<readonly Row[]>> = {
        curve: async () => curveRows({ curve: await readCurve(db, id) }, durationS),
        sources: async () => sourceRows(await readSources(db, id, days)),
        days: async () => [
          ["day", "plays", "watch_time_s"],
          ...(await readVideoDays(db, id, days)).map((day): Row => [
            day.date,
            day.plays,
            day.watchTimeS,
          ]),
        ],
      };
      return sendCsv(reply, `video-${table}`, await read[table]());
    },
  );
}
