import type { KeyObject } from "node:crypto";
import type { User } from "../../../contract/auth.ts";
import type { Db, Trx } from "../../db/connection.ts";
import { newSessionToken } from "../../http/access/session-cookie.ts";
import type { Actor } from "../../lib/actor.ts";
import type { Clock } from "../../lib/clock.ts";
import { sha256 } from "../../lib/ids.ts";
import { recordAudit } from "../audit/audit.service.ts";
import * as repository from "./sessions.repository.ts";

const dayMs = 24 * 3600 * 1000;
/** A session ends after this long without use. */
const idleMs = 30 * dayMs;
/** A session ends after this long in any case. */
export const maxSessionDays = 90;

/** The user as the audit log names them. */
export const actorFor = (user: Pick<User, "id" | "email">, requestId: string): Actor => ({
  user: { id: user.id, email: user.email },
  requestId,
});

export interface SessionsService {
  /** Opens a session and ends the one that it replaces in the same browser. @returns its token. */
  open(trx: Trx, user: User, from: { replaced: string | null; requestId: string }): Promise<string>;
  /** The user of a session token, or null. Extends a session that is in use. */
  findUser(token: string): Promise<User | null>;
  signOut(token: string, requestId: string): Promise<void>;
  endAllOf(trx: Trx, userId: string): Promise<void>;
  deleteExpired(): Promise<void>;
}

export function createSessionsService(deps: {
  db: Db;
  clock: Clock;
  /** Signs the tokens. */
  secret: KeyObject;
}): SessionsService {
  const { db, clock, secret } = deps;

  return {
    async open(trx, user, { replaced, requestId }) {
      if (replaced !== null) await repository.deleteSession(trx, sha256(replaced));
      const token = newSessionToken(secret);
      await repository.insertSession(trx, {
        tokenHash: sha256(token),
        userId: user.id,
        createdAt: clock.date(),
        expiresAt: new Date(clock.now() + idleMs),
      });
      await recordAudit(trx, actorFor(user, requestId), {
        action: "account.signed-in",
        entity: "account",
        entityId: user.id,
      });
      return token;
    },

    async findUser(token) {
      const tokenHash = sha256(token);
      const found = await repository.findUserBySession(db, tokenHash, clock.date());
      if (found === null) return null;
      const { createdAt, expiresAt, ...user } = found;
      if (expiresAt.getTime() - clock.now() < idleMs / 2) {
        const end = createdAt.getTime() + maxSessionDays * dayMs;
        const extended = Math.min(clock.now() + idleMs, end);
        if (extended > expiresAt.getTime()) {
          await repository.extendSession(db, tokenHash, new Date(extended));
        }
      }
      return user;
    },

    async signOut(token, requestId) {
      const tokenHash = sha256(token);
      await db.transaction().execute(async (trx) => {
        const user = await repository.findUserBySession(trx, tokenHash, clock.date());
        await repository.deleteSession(trx, tokenHash);
        if (user === null) return;
        await recordAudit(trx, actorFor(user, requestId), {
          action: "account.signed-out",
          entity: "account",
          entityId: user.id,
        });
      });
    },

    endAllOf: (trx, userId) => repository.deleteSessionsOf(trx, userId),
    deleteExpired: () => repository.deleteExpiredSessions(db, clock.date()),
  };
}
