import type { Role, User } from "../../../contract/auth.ts";
import type { Db, DbOrTrx } from "../../db/connection.ts";
import { AppError } from "../../lib/app-error.ts";
import type { Clock } from "../../lib/clock.ts";
import { hmacSha256, newId, newToken, sha256 } from "../../lib/ids.ts";
import * as repository from "./auth.repository.ts";
import { hashPassword, isPasswordRight } from "./passwords.ts";
import { createSignInLimiter } from "./sign-in-limiter.ts";

export const sessionDays = 30;
const sessionMs = sessionDays * 24 * 3600 * 1000;
const setupTokenMs = 24 * 3600 * 1000;

const setUpIsOver = () => new AppError("not_found", "There is nothing at this address.");
const badSetupToken = () =>
  new AppError(
    "forbidden",
    "This set-up link is not valid any more. Start the server again to get a new one.",
  );

interface NewUser {
  email: string;
  password: string;
  /** Empty for the part of the address before the @. */
  name: string;
  role: Role;
}

export interface AuthService {
  /**
   * @param addressKey names the address without revealing it.
   * @throws AppError invalid_credentials, the same for a wrong password and an unknown account;
   *   rate_limited after too many failures.
   */
  signIn(
    email: string,
    password: string,
    addressKey: string,
  ): Promise<{ user: User; token: string }>;
  signOut(token: string): Promise<void>;
  /** The user of a session token, or null. Extends a session that is in use. */
  findUser(token: string): Promise<User | null>;
  /** @throws AppError conflict where the address is taken. */
  createUser(input: NewUser): Promise<User>;
  /** Signs the user out everywhere. @throws AppError not_found. */
  resetPassword(email: string, password: string): Promise<void>;
  listUsers(): Promise<(User & { createdAt: Date })[]>;
  /** Creates the admin that the environment names if there is no such account. */
  ensureAdmin(email: string, password: string): Promise<"created" | "exists">;
  /** A new one-time token, or null if there is an admin. */
  issueSetupToken(): Promise<string | null>;
  /** @throws AppError not_found once there is an admin; forbidden for a wrong or used token. */
  setUp(input: Omit<NewUser, "role"> & { token: string }): Promise<{ user: User; token: string }>;
  deleteExpiredSessions(): Promise<void>;
}

export function createAuthService(deps: { db: Db; clock: Clock; secret: Buffer }): AuthService {
  const { db, clock, secret } = deps;
  const limiter = createSignInLimiter(deps);

  const accountKey = (email: string) => hmacSha256(secret, `account:${email.toLowerCase()}`);

  /** @throws AppError conflict where the address is taken. */
  async function insertUser(
    to: DbOrTrx,
    { email, passwordHash, name, role }: Omit<NewUser, "password"> & { passwordHash: string },
  ): Promise<User> {
    const user = await repository.insertUser(to, {
      id: newId(clock.now()),
      email: email.trim(),
      name: name.trim() || (email.split("@")[0] ?? email),
      role,
      passwordHash,
    });
    if (user === null) throw new AppError("conflict", `An account ${email} exists already.`);
    return user;
  }

  async function openSession(userId: string): Promise<string> {
    const token = newToken(32);
    await repository.insertSession(db, {
      tokenHash: sha256(token),
      userId,
      expiresAt: new Date(clock.now() + sessionMs),
    });
    return token;
  }

  const service: AuthService = {
    async signIn(email, password, addressKey) {
      const keys = [accountKey(email), hmacSha256(secret, `address:${addressKey}`)];
      await limiter.check(keys);
      const found = await repository.findUserByEmail(db, email);
      if (!(await isPasswordRight(found?.passwordHash ?? null, password)) || found === null) {
        await limiter.recordFailure(keys);
        throw new AppError("invalid_credentials", "Invalid credentials");
      }
      // Only the account is reset: one address may try many accounts, its own among them.
      await limiter.reset(keys.slice(0, 1));
      const user: User = { id: found.id, email: found.email, name: found.name, role: found.role };
      return { user, token: await openSession(user.id) };
    },

    async signOut(token) {
      await repository.deleteSession(db, sha256(token));
    },

    async findUser(token) {
      const tokenHash = sha256(token);
      const found = await repository.findUserBySession(db, tokenHash);
      if (found === null) return null;
      if (found.expiresAt.getTime() - clock.now() < sessionMs / 2) {
        await repository.extendSession(db, tokenHash, new Date(clock.now() + sessionMs));
      }
      return { id: found.id, email: found.email, name: found.name, role: found.role };
    },

    async createUser({ password, ...input }) {
      return insertUser(db, { ...input, passwordHash: await hashPassword(password) });
    },

    async resetPassword(email, password) {
      const found = await repository.findUserByEmail(db, email);
      if (found === null) throw new AppError("not_found", `There is no account ${email}.`);
      const passwordHash = await hashPassword(password);
      await db.transaction().execute(async (trx) => {
        await repository.updatePassword(trx, found.id, passwordHash);
        await repository.deleteSessionsOf(trx, found.id);
      });
      await limiter.reset([accountKey(email)]);
    },

    listUsers: () => repository.listUsers(db),

    async ensureAdmin(email, password) {
      if ((await repository.findUserByEmail(db, email)) !== null) return "exists";
      try {
        await service.createUser({ email, password, name: "", role: "ADMIN" });
        return "created";
      } catch (error) {
        // Another process that started at the same moment was faster.
        if (error instanceof AppError && error.code === "conflict") return "exists";
        throw error;
      }
    },

    async issueSetupToken() {
      if (await repository.hasAdmin(db)) return null;
      const token = newToken(24);
      await repository.replaceSetupToken(db, sha256(token), new Date(clock.now() + setupTokenMs));
      return token;
    },

    async setUp({ token, email, password, name }) {
      const tokenHash = sha256(token);
      // Hashing is expensive, so it comes after every check that a call without the link fails.
      if (await repository.hasAdmin(db)) throw setUpIsOver();
      if (!(await repository.isSetupToken(db, tokenHash))) throw badSetupToken();
      const passwordHash = await hashPassword(password);
      const user = await db.transaction().execute(async (trx) => {
        if (!(await repository.takeSetupToken(trx, tokenHash))) throw badSetupToken();
        if (await repository.hasAdmin(trx)) throw setUpIsOver();
        return insertUser(trx, { email, passwordHash, name, role: "ADMIN" });
      });
      return { user, token: await openSession(user.id) };
    },

    deleteExpiredSessions: () => repository.deleteExpiredSessions(db),
  };
  return service;
}
