import { z } from "zod";
import {
  createdWebhook,
  deliveries,
  webhookBody,
  webhookPatch,
  webhooks as webhookList,
} from "#contract/site/webhooks.ts";
import { actorOf } from "#server/http/access/actor.ts";
import type { App } from "#server/http/app.ts";
import type { WebhooksService } from "./webhooks.service.ts";

const tags = ["webhooks"];
const params = z.object({ id: z.string().min(1).max(200) });
const config = { policy: "webhooks.manage" } as const;

export function registerWebhookRoutes(app: App, { webhooks }: { webhooks: WebhooksService }): void {
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
    { config, schema: { tags, summary: "Change a webhook", params, body: webhookPatch } },
    async (request, reply) => {
      await webhooks.change(request.params.id, request.body, actorOf(request));
      return reply.status(204).send();
    },
  );

  app.delete(
    "/api/admin/webhooks/:id",
    { config, schema: { tags, summary: "Remove a webhook and its log", params } },
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
    { config, schema: { tags, summary: "Send a message again", params } },
    async (request, reply) => {
      await webhooks.sendAgain(request.params.id);
      return reply.status(202).send();
    },
  );
}
