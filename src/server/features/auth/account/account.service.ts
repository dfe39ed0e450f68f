import type { Account as OwnAccount } from "#contract/accounts/account.ts";
import { accountRoleOf } from "#contract/accounts/policy.ts";
import type { Db } from "#server/db/connection.ts";
import type { SignedInUser } from "#server/http/access/policy.ts";
import { AppError } from "#server/lib/app-error.ts";
import { recordAudit } from "#server/features/audit/audit.service.ts";
import { auditedAccount } from "../accounts.service.ts";
import * as repository from "../auth.repository.ts";
import { endResetLink } from "../reset/password-reset.repository.ts";
import type { PasskeysService } from "../second-factor/passkeys.service.ts";
import { requireSession } from "../sessions.service.ts";
import * as factors from "../second-factor/second-factors.repository.ts";

/** Changes that users make to their own account, except to factors and sessions. */
export function createAccountService(deps: { db: Db; passkeys: PasskeysService }) {
  const { db, passkeys } = deps;

  return {
    async get(user: SignedInUser): Promise<OwnAccount> {
      const [{ hasTotp, recoveryCodesLeft }, keys, isSecondFactorRequired] = await Promise.all([
        factors.readFactors(db, user.id),
        passkeys.list(user.id),
        factors.isSecondFactorRequired(db),
      ]);
      return {
        email: user.email,
        name: user.name,
        role: accountRoleOf(user),
        hasTotp,
        passkeys: keys.map(({ id, name, createdAt, lastUsedAt }) => ({
          id,
          name,
          createdAt: createdAt.toISOString(),
          lastUsedAt: lastUsedAt?.toISOString() ?? null,
        })),
        recoveryCodesLeft,
        isSecondFactorRequired,
      };
    },

    async rename(user: SignedInUser, name: string, requestId: string): Promise<void> {
      await db.transaction().execute(async (trx) => {
        await repository.updateName(trx, user.id, name);
        await recordAudit(
          trx,
          { user, requestId },
          {
            action: "account.renamed",
            entity: "account",
            entityId: user.id,
            before: { email: user.email, name: user.name },
            after: { email: user.email, name },
          },
        );
      });
    },

    /** @throws AppError conflict if the address is taken. */
    async changeEmail(user: SignedInUser, email: string, requestId: string): Promise<void> {
      await db.transaction().execute(async (trx) => {
        await requireSession(trx, user);
        if (!(await repository.updateEmail(trx, user.id, email))) {
          throw new AppError("conflict", `An account for ${email} already exists.`);
        }
        // The link was sent to the former address.
        await endResetLink(trx, user.id);
        await recordAudit(
          trx,
          { user, requestId },
          {
            action: "account.email-changed",
            entity: "account",
            entityId: user.id,
            before: auditedAccount(user),
            after: auditedAccount({ ...user, email }),
          },
        );
      });
    },

    /** @throws AppError conflict if the acting user has no second factor. */
    async requireSecondFactor(
      user: SignedInUser,
      isRequired: boolean,
      requestId: string,
    ): Promise<void> {
      await db.transaction().execute(async (trx) => {
        const { hasTotp, passkeys: keys } = await factors.readFactors(trx, user.id);
        // Without a second factor, this user's next request would be refused.
        if (isRequired && !hasTotp && keys === 0) {
          throw new AppError(
            "conflict",
            "Add an authenticator app or a passkey to your own account first.",
          );
        }
        await factors.setSecondFactorRequired(trx, isRequired);
        await recordAudit(
          trx,
          { user, requestId },
          {
            action: "account.second-factor-rule",
            entity: "settings",
            entityId: "1",
            after: { isSecondFactorRequired: isRequired },
          },
        );
      });
    },
  };
}

export type AccountService = ReturnType<typeof createAccountService>;
