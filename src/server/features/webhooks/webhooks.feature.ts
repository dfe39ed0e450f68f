import { BlockList, isIP } from "node:net";
import { z } from "zod";
import type { Config } from "#server/config.ts";
import type { Db } from "#server/db/connection.ts";
import type { Feature } from "#server/http/feature.ts";
import { defineJob } from "#server/jobs/job-definition.ts";
import type { JobQueue } from "#server/jobs/queue.ts";
import type { Clock } from "#server/lib/clock.ts";
import { warnLimited } from "#server/lib/limited-log.ts";
import type { Metrics } from "#server/lib/metrics/metrics.ts";
import type { Logger } from "#server/lib/logger.ts";
import { createGuardedRequest } from "#server/lib/outbound/guarded-request.ts";
import { isPublicAddress } from "#server/lib/outbound/public-address.ts";
import type { SettingsService } from "#server/features/settings/settings.service.ts";
import { createDeliveryService } from "./delivery.service.ts";
import { registerWebhookRoutes } from "./webhooks.routes.ts";
import { createWebhooksService } from "./webhooks.service.ts";

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
