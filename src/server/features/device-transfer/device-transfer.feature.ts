import type { Db } from "#server/db/connection.ts";
import type { Visitors } from "#server/http/access/visitors.ts";
import type { Feature } from "#server/http/feature.ts";
import type { Clock } from "#server/lib/clock.ts";
import {
  claimBody,
  claimedTransfer,
  transferBody,
  transferCode,
  transferMax,
} from "#contract/visitors/device-transfers.ts";
import type { App } from "#server/http/app.ts";
import { createTransfersService, type TransfersService } from "./transfers.service.ts";

const tags = ["transfers"];
/** The text is sent as JSON, and JSON escapes its quotes. */
const bodyLimit = 2 * transferMax;

function registerTransferRoutes(
  app: App,
  deps: {
    transfers: TransfersService;
    visitors: Visitors;
  },
): void {
  const { transfers, visitors } = deps;

  app.post(
    "/api/transfers",
    {
      config: { policy: "public" },
      bodyLimit,
      schema: {
        tags,
        summary: "Create a one-time code that transfers the visitor library to another device",
        body: transferBody,
        response: { 201: transferCode },
      },
    },
    async (request, reply) => {
      const sender = {
        addressKey: visitors.addressKey(request),
        addressGroup: visitors.addressGroupKey(request),
        visitorId: visitors.find(request),
      };
      const made = await transfers.create(request.body.data, sender);
      await reply.status(201).header("cache-control", "no-store").send(made);
    },
  );

  app.post(
    "/api/transfers/claim",
    {
      config: { policy: "public" },
      schema: {
        tags,
        summary: "Get the visitor library behind a code; works once, for ten minutes",
        body: claimBody,
        response: { 200: claimedTransfer },
      },
    },
    async (request, reply) => {
      const claimed = await transfers.claim(request.body.code, {
        addressKey: visitors.addressKey(request),
        visitorId: () => visitors.ensure(request, reply),
      });
      await reply.header("cache-control", "no-store").send(claimed);
    },
  );
}

/** Moves a visitor library from one browser to another, without an account. */
export function createDeviceTransferFeature(deps: {
  db: Db;
  clock: Clock;
  visitors: Visitors;
}): Feature {
  const transfers = createTransfersService(deps);
  return { registerRoutes: (app) => registerTransferRoutes(app, { ...deps, transfers }) };
}
