import type { KeyObject } from "node:crypto";
import type { User } from "#contract/accounts/auth.ts";
import { confirmedMinutes } from "#contract/accounts/policy.ts";
import type { Db, Trx } from "#server/db/connection.ts";
import { notSignedInError, type SignedInUser } from "#server/http/access/policy.ts";
import { newSessionToken } from "#server/http/access/session-cookie.ts";
import type { AccountSession } from "#contract/accounts/people.ts";
import { AppError } from "#server/lib/app-error.ts";
import type { Clock } from "#server/lib/clock.ts";
import { isUuid, sha256 } from "#server/lib/ids.ts";
import { recordAudit, type Actor } from "#server/features/audit/audit.service.ts";
import type { Account } from "./account.ts";
import type { Device } from "./device-cookie.ts";
import * as repository from "./sessions.repository.ts";
import { deleteUserApiTokens } from "./tokens/api-tokens.repository.ts";

const browsers: readonly [RegExp, string][] = [
  [/\bEdgA?\//, "Edge"],
  [/\bOPR\//, "Opera"],
  [/\bFirefox\/|\bFxiOS\//, "Firefox"],
  [/\bChrome\/|\bCriOS\/|\bChromium\/|\bHeadlessChrome\//, "Chrome"],
  [/\bSafari\//, "Safari"],
  [/^curl\//, "curl"],
];
const systems: readonly [RegExp, string][] = [
  [/\biPhone\b/, "iPhone"],
  [/\biPad\b/, "iPad"],
  [/\bAndroid\b/, "Android"],
  [/\bWindows\b/, "Windows"],
  [/\bCrOS\b/, "ChromeOS"],
  [/\bMac OS X\b/, "macOS"],
  [/\bLinux\b/, "Linux"],
];
const nameIn = (list: readonly [RegExp, string][], text: string) =>
  list.find(([pattern]) => pattern.test(text))?.[1];

/** Returns the browser and its system in words, for example `Firefox on Windows`. */
export function describeDevice(userAgent: string): string {
  const browser = nameIn(browsers, userAgent);
  const system = nameIn(systems, userAgent);
  if (browser === undefined) return system ?? "Unknown device";
  return system === undefined ? browser : `${browser} on ${system}`;
}

const dayMs = 24 * 3600 * 1000;
/** Time without use after which a session ends. */
const idleMs = 30 * dayMs;
/** How precise "last seen" is. */
const seenEveryMs = 5 * 60 * 1000;
const confirmedMs = confirmedMinutes * 60 * 1000;
const maxUserAgent = 300;
/** Maximum lifetime of a session. */
export const maxSessionDays = 90;

/** Returns the user as the audit log records them. */
export const actorFor = (user: Pick<User, "id" | "email">, requestId: string): Actor => ({
  user: { id: user.id, email: user.email },
  requestId,
});

/** How a user proved who they are. */
type SignInMethod = "password" | "app" | "recovery code" | "passkey";

/** Origin of a new session. */
export interface SessionOrigin {
  /** The browser's current session. The new one replaces it. */
  replaced: string | null;
  userAgent?: string;
  requestId: string;
}

/** Origin of a sign-in request. */
export interface SignInOrigin extends SessionOrigin {
  /** Identifies the address without revealing it. */
  addressKey: string;
  /** See `Visitors.addressGroupKey`. */
  addressGroup: string;
  device: Device | null;
}

export interface SignedIn {
  user: Account;
  /** Token of the new session. */
  token: string;
}

/**
 * Makes this transaction and one that ends the session happen one after the other.
 * @throws AppError unauthenticated if the session has ended since the request was checked.
 */
export async function requireSession(
  trx: Trx,
  user: { id: string; sessionId: string },
): Promise<void> {
  if (!(await repository.lockSession(trx, user))) throw notSignedInError();
}

export interface SessionsService {
  /** Opens a session and ends the one that it replaces in the same browser. @returns its token. */
  open(trx: Trx, user: User, from: SessionOrigin, method?: SignInMethod): Promise<string>;
  /** Returns the user of a session token, or null. Records the use and extends the session. */
  findUser(token: string): Promise<SignedInUser | null>;
  signOut(token: string, requestId: string): Promise<void>;
  /** Records that the password or a passkey was confirmed in this session. */
  confirm(sessionId: string): Promise<void>;
  /** Ends all of the user's sessions and, if requested, all API tokens. */
  endUserSessions(trx: Trx, userId: string, scope: "sessions" | "tokens too"): Promise<void>;
  /** @param currentId session of this request, if it is one of them. */
  listOf(userId: string, currentId: string | null): Promise<AccountSession[]>;
  /**
   * Ends one of the user's sessions, or all sessions and API tokens. @throws AppError not_found.
   */
  end(
    trx: Trx,
    user: Pick<User, "id" | "email">,
    sessionId: string | null,
    actor: Actor,
  ): Promise<void>;
  deleteExpired(): Promise<void>;
}

export function createSessionsService(deps: {
  db: Db;
  clock: Clock;
  /** Key that signs the tokens. */
  secret: KeyObject;
}): SessionsService {
  const { db, clock, secret } = deps;

  const endUserSessions: SessionsService["endUserSessions"] = async (trx, userId, scope) => {
    await repository.deleteUserSessions(trx, userId);
    if (scope === "tokens too") await deleteUserApiTokens(trx, userId);
  };

  return {
    async open(trx, user, { replaced, userAgent = "", requestId }, method = "password") {
      if (replaced !== null) await repository.deleteSession(trx, sha256(replaced));
      const token = newSessionToken(secret);
      await repository.insertSession(trx, {
        tokenHash: sha256(token),
        userId: user.id,
        userAgent: userAgent.slice(0, maxUserAgent),
        createdAt: clock.date(),
        expiresAt: new Date(clock.now() + idleMs),
      });
      await recordAudit(trx, actorFor(user, requestId), {
        action: "account.signed-in",
        entity: "account",
        entityId: user.id,
        after: { email: user.email, method },
      });
      return token;
    },

    async findUser(token) {
      const tokenHash = sha256(token);
      const found = await repository.findUserBySession(db, tokenHash, clock.date());
      if (found === null) return null;
      const { user, session } = found;
      if (clock.now() - session.lastSeenAt.getTime() >= seenEveryMs) {
        const end = session.createdAt.getTime() + maxSessionDays * dayMs;
        await repository.touchSession(db, {
          id: session.id,
          userId: user.id,
          now: clock.date(),
          expiresAt: new Date(Math.min(clock.now() + idleMs, end)),
        });
      }
      const isConfirmed = clock.now() - session.confirmedAt.getTime() < confirmedMs;
      return {
        ...user,
        sessionId: session.id,
        isConfirmed,
        scopes: null,
        isOutsideBackOffice: false,
      };
    },

    async signOut(token, requestId) {
      const tokenHash = sha256(token);
      await db.transaction().execute(async (trx) => {
        const found = await repository.findUserBySession(trx, tokenHash, clock.date());
        await repository.deleteSession(trx, tokenHash);
        if (found === null) return;
        const { user } = found;
        await recordAudit(trx, actorFor(user, requestId), {
          action: "account.signed-out",
          entity: "account",
          entityId: user.id,
        });
      });
    },

    async listOf(userId, currentId) {
      const rows = await repository.listSessions(db, userId, clock.date());
      return rows.map((row) => ({
        id: row.id,
        device: describeDevice(row.userAgent),
        createdAt: row.createdAt.toISOString(),
        lastSeenAt: row.lastSeenAt.toISOString(),
        isCurrent: row.id === currentId,
      }));
    },

    async end(trx, user, sessionId, actor) {
      if (sessionId === null) await endUserSessions(trx, user.id, "tokens too");
      else if (
        !isUuid(sessionId) ||
        !(await repository.deleteUserSession(trx, user.id, sessionId))
      ) {
        throw new AppError("not_found", "This session has already ended.");
      }
      await recordAudit(trx, actor, {
        action: sessionId === null ? "account.sessions-ended" : "account.session-ended",
        entity: "account",
        entityId: user.id,
        after: { email: user.email },
      });
    },

    confirm: (sessionId) => repository.confirmSession(db, sessionId, clock.date()),
    endUserSessions,
    deleteExpired: () => repository.deleteExpiredSessions(db, clock.date()),
  };
}
