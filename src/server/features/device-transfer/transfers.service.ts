import { randomBytes } from "node:crypto";
import {
  normaliseTransferCode,
  transferCodeLength,
  transferLetters,
  transfersPerMinute,
} from "#contract/visitors/device-transfers.ts";
import type { Db } from "#server/db/connection.ts";
import { countCall } from "#server/db/write-counts.ts";
import { copyFavorites } from "#server/features/engagement/favorites.service.ts";
import { AppError } from "#server/lib/app-error.ts";
import type { Clock } from "#server/lib/clock.ts";
import { sha256 } from "#server/lib/ids.ts";
import { insertTransfer, takeTransfer } from "./transfers.repository.ts";

const validMs = 10 * 60_000;

/** Uses five bits of each byte, so that every letter is equally likely. */
const newCode = () =>
  Array.from(
    randomBytes(transferCodeLength),
    (byte) => transferLetters[byte % transferLetters.length],
  ).join("");

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
      const code = newCode();
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
      const codeHash = sha256(normaliseTransferCode(typedCode));
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

export type TransfersService = ReturnType<typeof createTransfersService>;
