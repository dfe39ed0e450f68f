import { sql } from "kysely";
import type { AdOrigin } from "../../contract/ads.ts";
import type { DbOrTrx } from "#server/db/connection.ts";

/** Number of requests of one day, placement and origin. */
export interface RequestSum {
  day: string;
  /** Empty if the requests have none. */
  placement: string;
  origin: AdOrigin;
  requests: number;
  filled: number;
  robotRequests: number;
}

export async function addRequests(db: DbOrTrx, sums: readonly RequestSum[]): Promise<void> {
  await sql`
    insert into ad_requests_daily as r (day, placement, requests, filled, robot_requests,
      embed_requests, embed_filled, embed_robot_requests)
    select day, placement, sum(requests), sum(filled), sum(robot_requests),
      coalesce(sum(requests) filter (where origin = 'embed'), 0),
      coalesce(sum(filled) filter (where origin = 'embed'), 0),
      coalesce(sum(robot_requests) filter (where origin = 'embed'), 0)
    from unnest(
      ${sums.map((sum) => sum.day)}::date[],
      ${sums.map((sum) => sum.placement)}::text[],
      ${sums.map((sum) => sum.origin)}::text[],
      ${sums.map((sum) => sum.requests)}::bigint[],
      ${sums.map((sum) => sum.filled)}::bigint[],
      ${sums.map((sum) => sum.robotRequests)}::bigint[]
    ) as given (day, placement, origin, requests, filled, robot_requests)
    group by day, placement order by day, placement
    on conflict (day, placement) do update set
      requests = r.requests + excluded.requests,
      filled = r.filled + excluded.filled,
      robot_requests = r.robot_requests + excluded.robot_requests,
      embed_requests = r.embed_requests + excluded.embed_requests,
      embed_filled = r.embed_filled + excluded.embed_filled,
      embed_robot_requests = r.embed_robot_requests + excluded.embed_robot_requests`.execute(db);
}
