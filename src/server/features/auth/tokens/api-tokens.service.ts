import type { KeyObject } from "node:crypto";
import type {
  AnyApiToken,
  ApiToken,
  ApiTokenBody,
  CreatedApiToken,
} from "#contract/accounts/api-tokens.ts";
import { accountRoleOf, can } from "#contract/accounts/policy.ts";
import type { Db } from "#server/db/connection.ts";
import { newApiToken } from "#server/http/access/session-cookie.ts";
import type { SignedInUser } from "#server/http/access/policy.ts";
import { AppError } from "#server/lib/app-error.ts";
import type { Clock } from "#server/lib/clock.ts";
import { isUuid, newId, sha256 } from "#server/lib/ids.ts";
import { recordAudit } from "#server/features/audit/audit.service.ts";
import { requireSession } from "../sessions.service.ts";
import * as repository from "./api-tokens.repository.ts";

const dayMs = 24 * 3600 * 1000;
const maxTokens = 50;
/** How precise "last used" is. */
const usedEveryMs = 5 * 60 * 1000;

/** Tokens that let programs act for a user, limited by scopes and an expiry date. */
export function createApiTokensService(deps: { db: Db; clock: Clock; secret: KeyObject }) {
  const { db, clock, secret } = deps;

  return {
    async list(userId: string): Promise<ApiToken[]> {
      return (await repository.listApiTokens(db, userId)).map(present);
    },

    /**
     * @throws AppError invalid for a scope that the role doesn't allow; conflict for too many
     * tokens.
     */
    async create(
      { name, scopes, days }: ApiTokenBody,
      user: SignedInUser,
      requestId: string,
    ): Promise<CreatedApiToken> {
      const role = accountRoleOf(user);
      const missing = scopes.find((scope) => !can(role, scope));
      if (missing !== undefined) {
        const message = `Your role doesn't include ${missing}.`;
        throw new AppError("invalid", message, { issues: [{ path: "scopes", message }] });
      }
      const token = newApiToken(secret);
      const row = {
        id: newId(clock.now()),
        name,
        scopes: [...new Set(scopes)],
        createdAt: clock.date(),
        expiresAt: new Date(clock.now() + days * dayMs),
      };
      await db.transaction().execute(async (trx) => {
        await requireSession(trx, user);
        if ((await repository.countApiTokens(trx, user.id)) >= maxTokens) {
          throw new AppError(
            "conflict",
            `You've reached the limit of ${maxTokens} tokens. Delete one first.`,
          );
        }
        const tokenHash = sha256(token);
        await repository.insertApiToken(trx, { ...row, userId: user.id, tokenHash });
        await recordAudit(
          trx,
          { user, requestId },
          {
            action: "token.created",
            entity: "token",
            entityId: row.id,
            after: { name, scopes: row.scopes, expiresAt: row.expiresAt.toISOString() },
          },
        );
      });
      return { apiToken: present({ ...row, lastUsedAt: null }), token };
    },

    /** Returns the tokens of all users. */
    async listAll(): Promise<AnyApiToken[]> {
      const rows = await repository.listAllApiTokens(db);
      return rows.map((row) => ({ ...present(row), userEmail: row.userEmail }));
    },

    /**
     * Revokes a token.
     * @param of limits this to the acting user's tokens, or allows those of every user.
     * @throws AppError not_found.
     */
    async remove(
      id: string,
      of: "own" | "every user",
      by: SignedInUser,
      requestId: string,
    ): Promise<void> {
      const userId = of === "own" ? by.id : null;
      await db.transaction().execute(async (trx) => {
        const before = isUuid(id) ? await repository.deleteApiToken(trx, id, userId) : null;
        if (before === null) throw new AppError("not_found", "Token not found.");
        await recordAudit(
          trx,
          { user: by, requestId },
          { action: "token.removed", entity: "token", entityId: id, before },
        );
      });
    },

    /** Returns the token's user with the token's scopes as limits, or null. */
    async findUser(token: string): Promise<SignedInUser | null> {
      const found = await repository.findUserByToken(db, sha256(token), clock.date());
      if (found === null) return null;
      const { user, id, scopes, lastUsedAt } = found;
      if (lastUsedAt === null || clock.now() - lastUsedAt.getTime() >= usedEveryMs) {
        await repository.touchApiToken(db, id, clock.date());
      }
      return { ...user, sessionId: id, isConfirmed: false, scopes, isOutsideBackOffice: false };
    },
  };
}

export type ApiTokensService = ReturnType<typeof createApiTokensService>;

const present = (row: repository.ApiTokenRow): ApiToken => ({
  id: row.id,
  name: row.name,
  scopes: row.scopes,
  createdAt: row.createdAt.toISOString(),
  expiresAt: row.expiresAt.toISOString(),
  lastUsedAt: row.lastUsedAt?.toISOString() ?? null,
});
