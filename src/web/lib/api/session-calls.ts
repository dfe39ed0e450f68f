import type { z } from "zod";
import { sessionResponse, user, type setupBody, type User } from "#contract/accounts/auth.ts";
import { passkeyOptions } from "#contract/accounts/account.ts";
import { openInvitation, type acceptBody } from "#contract/accounts/people.ts";
import { call, callForEffect } from "./http.ts";

export function postSignIn(email: string, password: string): Promise<User> {
  return call("/api/auth/signin", user, { method: "POST", body: { email, password } });
}

export type SetupBody = z.infer<typeof setupBody>;

export function postSetup(body: SetupBody): Promise<User> {
  return call("/api/auth/setup", user, { method: "POST", body });
}

export const postInvitation = (token: string): Promise<z.infer<typeof openInvitation>> =>
  call("/api/auth/invitation", openInvitation, { method: "POST", body: { token } });

export type AcceptBody = z.infer<typeof acceptBody>;

export const postAcceptance = (body: AcceptBody): Promise<User> =>
  call("/api/auth/invitation/accept", user, { method: "POST", body });

export const postCode = (code: string): Promise<User> =>
  call("/api/auth/second-factor", user, { method: "POST", body: { code } });

/** Rejects with NotAllowedError if the user declines. */
export async function postPasskey(): Promise<User> {
  const { options } = await call("/api/auth/passkey/options", passkeyOptions, { method: "POST" });
  const { getPasskey } = await import("../passkeys.ts");
  const response = await getPasskey(options);
  return call("/api/auth/passkey", user, { method: "POST", body: { response } });
}

export const postForgot = (email: string): Promise<void> =>
  callForEffect("/api/auth/forgot", { method: "POST", body: { email } });

export const postReset = (body: { token: string; password: string }): Promise<void> =>
  callForEffect("/api/auth/reset", { method: "POST", body });

export function postSignOut(): Promise<void> {
  return callForEffect("/api/auth/signout", { method: "POST" });
}

export async function fetchSessionUser(): Promise<User | null> {
  return (await call("/api/auth/session", sessionResponse)).user;
}
