import { sql } from "kysely";
import type { DbOrTrx } from "#server/db/connection.ts";

/** Number of requests of one day and placement. */
export interface RequestSum {
  day: string;
  /** Empty if the requests have none. */
  placement: string;
  requests: number;
  filled: number;
  robotRequests: number;
}

export async function addRequests(db: DbOrTrx, sums: readonly RequestSum[]): Promise<void> {
  await sql`
    insert into ad_requests_daily as r (day, placement, requests, filled, robot_requests)
    select * from unnest(
      ${sums.map((sum) => sum.day)}::date[],
      ${sums.map((sum) => sum.placement)}::text[],
      ${sums.map((sum) => sum.requests)}::bigint[],
      ${sums.map((sum) => sum.filled)}::bigint[],
      ${sums.map((sum) => sum.robotRequests)}::bigint[]
    ) as given (day, placement, requests, filled, robot_requests)
    order by day, placement
    on conflict (day, placement) do update set
      requests = r.requests + excluded.requests,
      filled = r.filled + excluded.filled,
      robot_requests = r.robot_requests + excluded.robot_requests`.execute(db);
}
