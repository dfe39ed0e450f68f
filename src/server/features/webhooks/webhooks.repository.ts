import { sql } from "kysely";
import type { DeliveryState } from "#contract/site/webhooks.ts";
import type { DbOrTrx, Trx } from "#server/db/connection.ts";

export interface WebhookRow {
  id: string;
  url: string;
  events: string[];
  isEnabled: boolean;
  createdAt: Date;
}

const columns = [
  "id",
  "url",
  "events",
  "is_enabled as isEnabled",
  "created_at as createdAt",
] as const;

/** Returns webhooks by creation time, with the results of messages since a given time. */
export async function listWebhooks(
  db: DbOrTrx,
  since: Date,
): Promise<(WebhookRow & { failed: number; delivered: number })[]> {
  const count = (state: DeliveryState) =>
    sql<number>`(select count(*)::int from webhook_deliveries d where d.webhook_id = webhooks.id
      and d.created_at > ${since} and d.state = ${state})`;
  return db
    .selectFrom("webhooks")
    .select([...columns, count("failed").as("failed"), count("delivered").as("delivered")])
    .orderBy("created_at")
    .orderBy("id")
    .execute();
}

export async function insertWebhook(
  trx: Trx,
  row: Omit<WebhookRow, "isEnabled"> & { secret: string },
): Promise<void> {
  const { id, url, events, secret, createdAt } = row;
  await trx
    .insertInto("webhooks")
    .values({ id, url, events, secret, created_at: createdAt })
    .execute();
}

export async function lockWebhook(trx: Trx, id: string): Promise<WebhookRow | null> {
  const row = await trx
    .selectFrom("webhooks")
    .select(columns)
    .where("id", "=", id)
    .forUpdate()
    .executeTakeFirst();
  return row ?? null;
}

export async function updateWebhook(
  trx: Trx,
  id: string,
  { url, events, isEnabled }: Partial<Pick<WebhookRow, "url" | "events" | "isEnabled">>,
): Promise<void> {
  await trx
    .updateTable("webhooks")
    .set({ id, url, events, is_enabled: isEnabled })
    .where("id", "=", id)
    .execute();
}

export async function deleteWebhook(trx: Trx, id: string): Promise<void> {
  await trx.deleteFrom("webhooks").where("id", "=", id).execute();
}

export async function countWebhooks(trx: Trx): Promise<number> {
  const row = await trx
    .selectFrom("webhooks")
    .select(sql<number>`count(*)::int`.as("count"))
    .executeTakeFirstOrThrow();
  return row.count;
}
