import type { Db } from "#server/db/connection.ts";
import { AppError } from "#server/lib/app-error.ts";
import type { Clock } from "#server/lib/clock.ts";
import { newToken, sha256 } from "#server/lib/ids.ts";
import type { Semaphore } from "#server/lib/semaphore.ts";
import { insertUser, type NewUser } from "./accounts.service.ts";
import * as repository from "./auth.repository.ts";
import { requireUncommon } from "./common-passwords.ts";
import { hashPassword } from "./passwords.ts";
import type { SessionsService, SignedIn, SignInOrigin } from "./sessions.service.ts";

const setupTokenMs = 24 * 3600 * 1000;

const setUpIsOver = () => new AppError("not_found", "There is nothing at this address.");
const badSetupToken = () =>
  new AppError("forbidden", "This set-up link has expired. Restart the server to get a new one.");

/** Creates the first admin using a one-time link. */
export function createSiteSetup(deps: {
  db: Db;
  clock: Clock;
  attempts: Semaphore;
  sessions: SessionsService;
}) {
  const { db, clock, attempts, sessions } = deps;
  let isSetUpComplete = false;

  return {
    /** Returns a new one-time token, or null if an admin exists. */
    async issueSetupToken(): Promise<string | null> {
      if (await repository.hasOwner(db)) return null;
      const token = newToken(24);
      await repository.replaceSetupToken(db, sha256(token), new Date(clock.now() + setupTokenMs));
      return token;
    },

    /** @throws AppError not_found if an admin exists; forbidden for a wrong or used token. */
    async setUp(
      { token, email, password, name }: Omit<NewUser, "role"> & { token: string },
      from: Omit<SignInOrigin, "device"> & {
        /**
         * Origin at which the operator opened the link, for use in account mails. Null if it isn't a
         * URL.
         */
        siteOrigin: string | null;
      },
    ): Promise<SignedIn> {
      if (isSetUpComplete) throw setUpIsOver();
      const tokenHash = sha256(token);
      // Hashing is expensive, so it runs after every check that fails without a valid link.
      await attempts.run({ key: from.addressKey, isFirst: false }, async () => {
        // The last owner can't be removed, so a positive result stays valid.
        isSetUpComplete ||= await repository.hasOwner(db);
        if (isSetUpComplete) throw setUpIsOver();
        if (!(await repository.isSetupToken(db, tokenHash))) throw badSetupToken();
      });
      await requireUncommon(password, email);
      const passwordHash = await hashPassword(password, { key: from.addressKey, isFirst: true });
      return db.transaction().execute(async (trx) => {
        if (!(await repository.takeSetupToken(trx, tokenHash))) throw badSetupToken();
        if (await repository.hasOwner(trx)) throw setUpIsOver();
        const input = { email, passwordHash, name, role: "OWNER", nowMs: clock.now() } as const;
        const user = await insertUser(trx, input, { requestId: from.requestId });
        if (from.siteOrigin !== null) await repository.storeConfirmedUrl(trx, from.siteOrigin);
        return { user, token: await sessions.open(trx, user, from) };
      });
    },
  };
}
