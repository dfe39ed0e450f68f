import type { Db } from "#server/db/connection.ts";
import type { Visitors } from "#server/http/access/visitors.ts";
import type { Clock } from "#server/lib/clock.ts";
import {
  claimBody,
  claimedTransfer,
  transferBody,
  transferCode,
  transferMax,
  transfersPerMinute,
} from "#contract/visitors/device-transfers.ts";
import type { Feature, App } from "#server/http/app.ts";
import { countCall } from "#server/db/write-counts.ts";
import { copyFavorites } from "#server/features/engagement/favorites.service.ts";
import { AppError } from "#server/lib/app-error.ts";
import { newCode, normalizeCode, sha256 } from "#server/lib/ids.ts";
import { insertTransfer, takeTransfer } from "./transfers.repository.ts";

const validMs = 10 * 60_000;

/** 60 bits. */
const codeLength = 12;

/** Visitor libraries that are being moved to another device. */
export function createTransfersService(deps: { db: Db; clock: Clock }) {
  const { db, clock } = deps;

  const count = (what: "create" | "claim", addressKey: string) =>
    countCall(db, `transfer-${what}:${addressKey}`, {
      max: transfersPerMinute,
      nowMs: clock.now(),
    });

  return {
    /**
     * `visitorId` is the owner of the favorites to include, or null if the browser has no cookie.
     */
    async create(
      data: string,
      {
        addressKey,
        addressGroup,
        visitorId,
      }: { addressKey: string; addressGroup: string; visitorId: string | null },
    ): Promise<{ code: string; expiresAt: string }> {
      await count("create", addressKey);
      const code = newCode(codeLength);
      const now = clock.now();
      const expiresAt = new Date(now + validMs);
      const codeHash = sha256(code);
      const transfer = { codeHash, data, visitorId, addressGroup, expiresAt, now: new Date(now) };
      if (!(await insertTransfer(db, transfer))) {
        throw new AppError("unavailable", "Too many transfers are in progress. Try again later.", {
          retryAfterS: 60,
        });
      }
      return { code, expiresAt: expiresAt.toISOString() };
    },

    /**
     * Returns the data for a code. A code works once. Calls `visitorId` if favorites are included.
     * @throws AppError not_found for an unknown, used or expired code.
     */
    async claim(
      typedCode: string,
      { addressKey, visitorId }: { addressKey: string; visitorId: () => string },
    ): Promise<{ data: string }> {
      await count("claim", addressKey);
      const codeHash = sha256(normalizeCode(typedCode));
      return db.transaction().execute(async (trx) => {
        const taken = await takeTransfer(trx, codeHash, new Date(clock.now()));
        if (taken === null) {
          throw new AppError(
            "not_found",
            "This code is incorrect, already used or expired. Create a new one on the other device.",
          );
        }
        if (taken.visitorId !== null) await copyFavorites(trx, taken.visitorId, visitorId());
        return { data: taken.data };
      });
    },
  };
}

type TransfersService = ReturnType<typeof createTransfersService>;

const tags = ["transfers"];
/** A character takes up to 3 bytes in UTF-8, and an escaped quote 2. */
const bodyLimit = 3 * transferMax + 1024;

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
        visitorId: () => visitors.ensureForAnotherYear(request, reply),
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
