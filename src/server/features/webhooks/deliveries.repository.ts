import { sql } from "kysely";
import type { DeliveryState } from "#contract/site/webhooks.ts";
import type { DbOrTrx, Trx } from "#server/db/connection.ts";

export interface DeliveryRow {
  id: string;
  event: string;
  state: DeliveryState;
  attempts: number;
  status: number | null;
  problem: string | null;
  createdAt: Date;
  nextAt: Date;
  deliveredAt: Date | null;
}

/** Message that is due, with its destination. */
export interface DueDelivery {
  id: string;
  url: string;
  secret: string;
  event: string;
  data: Record<string, unknown>;
  attempts: number;
  createdAt: Date;
}

const logLength = 100;

/** Returns the latest messages of a webhook, newest first. */
export async function listDeliveries(db: DbOrTrx, webhookId: string): Promise<DeliveryRow[]> {
  return db
    .selectFrom("webhook_deliveries")
    .select([
      "id",
      "event",
      "state",
      "attempts",
      "status",
      "problem",
      "created_at as createdAt",
      "next_at as nextAt",
      "delivered_at as deliveredAt",
    ])
    .where("webhook_id", "=", webhookId)
    .orderBy("created_at", "desc")
    .orderBy("id")
    .limit(logLength)
    .execute();
}

export async function hasDue(db: DbOrTrx, now: Date): Promise<boolean> {
  const { rows } = await sql<{ found: boolean }>`
    select exists (select from webhook_deliveries d
      join webhooks w on w.id = d.webhook_id and w.is_enabled
      where d.state = 'waiting' and d.next_at <= ${now}) as found`.execute(db);
  return rows[0]?.found === true;
}

/**
 * Leases one due message of each webhook, so that none waits for the slow server of another. Skips
 * webhooks that are turned off, and those of which a message is being sent. No other worker gets the
 * messages until `leaseEnd`.
 */
export async function takeDue(
  trx: Trx,
  { now, leaseEnd }: { now: Date; leaseEnd: Date },
): Promise<DueDelivery[]> {
  // Another worker's lease must be visible to the statement below.
  await sql`select pg_advisory_xact_lock(hashtext('kinora webhook deliveries'))`.execute(trx);
  // An attempt has no problem until it ends.
  const { rows } = await sql<DueDelivery>`
    with due as materialized (
      select d.id from webhooks w cross join lateral (
        select id from webhook_deliveries
        where webhook_id = w.id and state = 'waiting' and next_at <= ${now}
        order by next_at limit 1 for update skip locked
      ) d
      where w.is_enabled and not exists (
        select from webhook_deliveries
        where webhook_id = w.id and state = 'waiting' and next_at > ${now}
          and next_at <= ${leaseEnd} and attempts > 0 and problem is null)
    )
    update webhook_deliveries d
    set next_at = ${leaseEnd}, attempts = d.attempts + 1, status = null, problem = null
    from due, webhooks w where d.id = due.id and w.id = d.webhook_id
    returning d.id, w.url, w.secret, d.event, d.data, d.attempts, d.created_at as "createdAt"`.execute(
    trx,
  );
  return rows;
}

export async function updateDelivery(
  db: DbOrTrx,
  id: string,
  values: {
    state: DeliveryState;
    status: number | null;
    problem: string | null;
    next_at?: Date;
    delivered_at?: Date;
  },
): Promise<void> {
  await db.updateTable("webhook_deliveries").set(values).where("id", "=", id).execute();
}

/** Restarts a message from its first attempt. Returns null if it is unknown. */
export async function resetDelivery(
  db: DbOrTrx,
  id: string,
  now: Date,
): Promise<{ webhookId: string; url: string; event: string } | null> {
  const row = await db
    .updateTable("webhook_deliveries as d")
    .from("webhooks as w")
    .set({ state: "waiting", attempts: 0, next_at: now, status: null, problem: null })
    .where("d.id", "=", id)
    .whereRef("w.id", "=", "d.webhook_id")
    .returning(["w.id as webhookId", "w.url", "d.event"])
    .executeTakeFirst();
  return row ?? null;
}

export async function deleteDeliveriesBefore(db: DbOrTrx, before: Date): Promise<void> {
  await db.deleteFrom("webhook_deliveries").where("created_at", "<", before).execute();
}
