import { queryOptions } from "@tanstack/react-query";
import {
  account,
  passkeyOptions,
  recoveryCodes,
  totpSecret,
  type RecoveryCodes,
  type TotpSecret,
} from "#contract/accounts/account.ts";
import {
  apiTokens,
  createdApiToken,
  type ApiTokenBody,
  type CreatedApiToken,
} from "#contract/accounts/api-tokens.ts";
import { accountSessions } from "#contract/accounts/people.ts";
import { adminCall, adminSend } from "../shared/admin-api.ts";

export const accountKey = ["admin", "account"] as const;

export const accountQuery = queryOptions({
  queryKey: accountKey,
  queryFn: () => adminCall("/api/account", account),
});

export const ownSessionsQuery = queryOptions({
  queryKey: [...accountKey, "sessions"],
  queryFn: () => adminCall("/api/account/sessions", accountSessions),
});

export const rename = (name: string): Promise<void> =>
  adminSend("/api/account", { method: "PUT", body: { name } });

export const changeEmail = (email: string): Promise<void> =>
  adminSend("/api/account/email", { method: "POST", body: { email } });

export const changePassword = (body: {
  currentPassword: string;
  newPassword: string;
  keepsTokens: boolean;
}): Promise<void> => adminSend("/api/auth/password", { method: "POST", body });

export const endOwnSession = (id: string): Promise<void> =>
  adminSend(`/api/account/sessions/${id}`, { method: "DELETE" });

export const endAllOwnSessions = (): Promise<void> =>
  adminSend("/api/account/sessions", { method: "DELETE" });

export const beginTotp = (): Promise<TotpSecret> =>
  adminCall("/api/account/totp", totpSecret, { method: "POST" });

export const activateTotp = (code: string): Promise<RecoveryCodes> =>
  adminCall("/api/account/totp/confirm", recoveryCodes, { method: "POST", body: { code } });

export const removeTotp = (): Promise<void> => adminSend("/api/account/totp", { method: "DELETE" });

export const renewRecoveryCodes = (): Promise<RecoveryCodes> =>
  adminCall("/api/account/recovery-codes", recoveryCodes, { method: "POST" });

export const removePasskey = (id: string): Promise<void> =>
  adminSend(`/api/account/passkeys/${encodeURIComponent(id)}`, { method: "DELETE" });

/** Lets the browser create a passkey. Rejects if the user declines. */
export async function addPasskey(name: string): Promise<RecoveryCodes> {
  const { options } = await adminCall("/api/account/passkeys/options", passkeyOptions, {
    method: "POST",
  });
  const { createPasskey } = await import("#web/lib/passkeys.ts");
  const response = await createPasskey(options);
  return adminCall("/api/account/passkeys", recoveryCodes, {
    method: "POST",
    body: { name, response },
  });
}

export const tokensQuery = queryOptions({
  queryKey: [...accountKey, "tokens"],
  queryFn: () => adminCall("/api/account/tokens", apiTokens),
});

export const createToken = (body: ApiTokenBody): Promise<CreatedApiToken> =>
  adminCall("/api/account/tokens", createdApiToken, { method: "POST", body });

export const removeToken = (id: string): Promise<void> =>
  adminSend(`/api/account/tokens/${id}`, { method: "DELETE" });
