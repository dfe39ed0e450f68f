import type {
  CreatedWebhook,
  Delivery,
  Webhook,
  WebhookBody,
  WebhookPatch,
} from "#contract/site/webhooks.ts";
import type { Db, Trx } from "#server/db/connection.ts";
import type { JobQueue } from "#server/jobs/queue.ts";
import { AppError } from "#server/lib/app-error.ts";
import type { Clock } from "#server/lib/clock.ts";
import { isUuid, newId, newToken } from "#server/lib/ids.ts";
import { recordAudit, type Actor } from "#server/features/audit/audit.service.ts";
import { listDeliveries, resetDelivery } from "./deliveries.repository.ts";
import * as repository from "./webhooks.repository.ts";

const dayMs = 24 * 3600 * 1000;
const maxWebhooks = 20;

const notFound = () => new AppError("not_found", "Webhook not found.");

/** Manages webhooks, which are addresses that receive events. */
export function createWebhooksService(deps: { db: Db; clock: Clock; queue: JobQueue }) {
  const { db, clock, queue } = deps;

  async function lock(trx: Trx, id: string): Promise<repository.WebhookRow> {
    const row = isUuid(id) ? await repository.lockWebhook(trx, id) : null;
    if (row === null) throw notFound();
    return row;
  }

  return {
    async list(): Promise<Webhook[]> {
      const rows = await repository.listWebhooks(db, new Date(clock.now() - dayMs));
      return rows.map((row) => ({ ...row, createdAt: row.createdAt.toISOString() }));
    },

    /** @throws AppError conflict if there are too many. */
    async create({ url, events }: WebhookBody, actor: Actor): Promise<CreatedWebhook> {
      const row = { id: newId(clock.now()), url, events, createdAt: clock.date() };
      const secret = `whsec_${newToken(32)}`;
      await db.transaction().execute(async (trx) => {
        if ((await repository.countWebhooks(trx)) >= maxWebhooks) {
          throw new AppError(
            "conflict",
            `You've reached the limit of ${maxWebhooks} webhooks. Delete one first.`,
          );
        }
        await repository.insertWebhook(trx, { ...row, secret });
        await recordAudit(trx, actor, {
          action: "webhook.created",
          entity: "webhook",
          entityId: row.id,
          after: { name: url, events },
        });
      });
      const createdAt = row.createdAt.toISOString();
      return {
        webhook: { ...row, createdAt, isEnabled: true, failed: 0, delivered: 0 },
        secret,
      };
    },

    /** @throws AppError not_found, like the calls below. */
    async change(id: string, patch: WebhookPatch, actor: Actor): Promise<void> {
      await db.transaction().execute(async (trx) => {
        const { url, events, isEnabled } = await lock(trx, id);
        await repository.updateWebhook(trx, id, patch);
        await recordAudit(trx, actor, {
          action: "webhook.updated",
          entity: "webhook",
          entityId: id,
          before: { name: url, events, isEnabled },
          after: patch,
        });
      });
    },

    async remove(id: string, actor: Actor): Promise<void> {
      await db.transaction().execute(async (trx) => {
        const { url, events } = await lock(trx, id);
        await repository.deleteWebhook(trx, id);
        await recordAudit(trx, actor, {
          action: "webhook.removed",
          entity: "webhook",
          entityId: id,
          before: { name: url, events },
        });
      });
    },

    async listDeliveries(id: string): Promise<Delivery[]> {
      const rows = isUuid(id) ? await listDeliveries(db, id) : [];
      return rows.map((row) => ({
        ...row,
        createdAt: row.createdAt.toISOString(),
        nextAt: row.nextAt.toISOString(),
        deliveredAt: row.deliveredAt?.toISOString() ?? null,
      }));
    },

    async sendAgain(deliveryId: string): Promise<void> {
      await db.transaction().execute(async (trx) => {
        const isKnown = isUuid(deliveryId) && (await resetDelivery(trx, deliveryId, clock.date()));
        if (!isKnown) throw new AppError("not_found", "Message not found.");
        await queue.enqueue(trx, "webhooks.deliver", {});
      });
    },
  };
}

export type WebhooksService = ReturnType<typeof createWebhooksService>;
