import { BlockList, isIP } from "node:net";
import { z } from "zod";
import type { Config } from "#server/config.ts";
import type { Db, Trx } from "#server/db/connection.ts";
import { defineJob, type JobQueue } from "#server/jobs/queue.ts";
import type { Clock } from "#server/lib/clock.ts";
import type { Metrics } from "#server/lib/metrics/metrics.ts";
import { warnLimited, type Logger } from "#server/lib/logger.ts";
import { createGuardedRequest } from "#server/lib/outbound/guarded-request.ts";
import { isPublicAddress } from "#server/lib/outbound/public-address.ts";
import type { SettingsService } from "#server/features/settings/settings.service.ts";
import {
  createdWebhook,
  deliveries,
  webhookBody,
  webhookPatch,
  webhooks as webhookList,
  type CreatedWebhook,
  type Delivery,
  type Webhook,
  type WebhookBody,
  type WebhookPatch,
} from "#contract/site/webhooks.ts";
import { actorOf } from "#server/http/access/policy.ts";
import type { Feature, App } from "#server/http/app.ts";
import { noBody } from "#server/http/openapi.ts";
import { createDeliveryService } from "./delivery.service.ts";
import { AppError } from "#server/lib/app-error.ts";
import { isUuid, newId, newToken } from "#server/lib/ids.ts";
import { recordAudit, type Actor } from "#server/features/audit/audit.service.ts";
import { listDeliveries, resetDelivery } from "./deliveries.repository.ts";
import * as repository from "./webhooks.repository.ts";

const dayMs = 24 * 3600 * 1000;
const maxWebhooks = 20;

const notFound = () => new AppError("not_found", "Webhook not found.");

/** Manages webhooks, which are addresses that receive events. */
function createWebhooksService(deps: { db: Db; clock: Clock; queue: JobQueue }) {
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

    async sendAgain(deliveryId: string, actor: Actor): Promise<void> {
      await db.transaction().execute(async (trx) => {
        const reset = isUuid(deliveryId)
          ? await resetDelivery(trx, deliveryId, clock.date())
          : null;
        if (reset === null) throw new AppError("not_found", "Message not found.");
        await recordAudit(trx, actor, {
          action: "webhook.resent",
          entity: "webhook",
          entityId: reset.webhookId,
          after: { name: reset.url, event: reset.event },
        });
        await queue.enqueue(trx, "webhooks.deliver", {});
      });
    },
  };
}

type WebhooksService = ReturnType<typeof createWebhooksService>;

const tags = ["webhooks"];
const params = z.object({ id: z.string().min(1).max(200) });
const config = { policy: "webhooks.manage" } as const;

function registerWebhookRoutes(app: App, { webhooks }: { webhooks: WebhooksService }): void {
  app.get(
    "/api/admin/webhooks",
    { config, schema: { tags, summary: "List all webhooks", response: { 200: webhookList } } },
    () => webhooks.list(),
  );

  app.post(
    "/api/admin/webhooks",
    {
      config,
      schema: {
        tags,
        summary: "Add a webhook; its secret is shown once",
        body: webhookBody,
        response: { 201: createdWebhook },
      },
    },
    async (request, reply) =>
      reply.status(201).send(await webhooks.create(request.body, actorOf(request))),
  );

  app.put(
    "/api/admin/webhooks/:id",
    {
      config,
      schema: {
        tags,
        summary: "Change a webhook",
        params,
        body: webhookPatch,
        response: { 204: noBody },
      },
    },
    async (request, reply) => {
      await webhooks.change(request.params.id, request.body, actorOf(request));
      return reply.status(204).send();
    },
  );

  app.delete(
    "/api/admin/webhooks/:id",
    {
      config,
      schema: { tags, summary: "Remove a webhook and its log", params, response: { 204: noBody } },
    },
    async (request, reply) => {
      await webhooks.remove(request.params.id, actorOf(request));
      return reply.status(204).send();
    },
  );

  app.get(
    "/api/admin/webhooks/:id/deliveries",
    {
      config,
      schema: {
        tags,
        summary: "List a webhook's last 100 messages",
        params,
        response: { 200: deliveries },
      },
    },
    (request) => webhooks.listDeliveries(request.params.id),
  );

  app.post(
    "/api/admin/webhooks/deliveries/:id/again",
    {
      config,
      schema: { tags, summary: "Send a message again", params, response: { 202: noBody } },
    },
    async (request, reply) => {
      await webhooks.sendAgain(request.params.id, actorOf(request));
      return reply.status(202).send();
    },
  );
}

/** Changes within this time start the job only once. */
const quietMs = 200;

/** Webhooks, which notify other programs about videos and reports. */
export function createWebhooksFeature(deps: {
  db: Db;
  clock: Clock;
  logger: Logger;
  queue: JobQueue;
  config: Config;
  settings: SettingsService;
  metrics: Metrics;
}): Feature & { sendSoon: () => void } {
  const { logger, config } = deps;
  const request = createGuardedRequest({ isAllowed: allowing(config.webhookNetworks) });
  const delivery = createDeliveryService({ ...deps, request });
  let timer: NodeJS.Timeout | null = null;

  /** Queues the job a moment later if a message is due. */
  const sendSoon = () => {
    timer ??= setTimeout(() => {
      timer = null;
      delivery.sendSoon().catch((error: unknown) => {
        warnLimited(logger, "webhooks", { err: error }, "webhooks are retried in the next minute");
      });
    }, quietMs).unref();
  };

  return {
    sendSoon,
    jobs: [
      defineJob({
        name: "webhooks.deliver",
        payload: z.object({}),
        concurrency: 2,
        schedule: { cron: "* * * * *" },
        run: (_, { signal }) => delivery.sendDue(signal),
      }),
    ],
    registerRoutes: (app) => registerWebhookRoutes(app, { webhooks: createWebhooksService(deps) }),
    // Every video event comes with a change event after its commit.
    invalidate: sendSoon,
    async drain() {
      if (timer !== null) clearTimeout(timer);
    },
  };
}

/** Allows the public internet and the networks that the operator configured. */
function allowing(networks: readonly string[]): (address: string) => boolean {
  const allowed = new BlockList();
  for (const network of networks) {
    const [address = "", bits] = network.split("/");
    const family = isIP(address) === 6 ? "ipv6" : "ipv4";
    if (bits === undefined) allowed.addAddress(address, family);
    else allowed.addSubnet(address, Number(bits), family);
  }
  return (address) =>
    isPublicAddress(address) || allowed.check(address, isIP(address) === 6 ? "ipv6" : "ipv4");
}
