import type { z } from "zod";
import { sessionResponse, user, type setupBody, type User } from "#contract/accounts/auth.ts";
import { passkeyOptions } from "#contract/accounts/account.ts";
import { openInvitation as invitation, type acceptBody } from "#contract/accounts/people.ts";
import { call, callForEffect } from "./api/http.ts";
import { saveUser } from "./session.ts";

/** Sends a call that signs in, and saves the user. */
async function signInBy(path: string, body: object): Promise<User> {
  const signedIn = await call(path, user, { method: "POST", body });
  saveUser(signedIn);
  return signedIn;
}

/** @throws ApiError if the server rejects it, TypeError if the server can't be reached. */
export const signIn = (email: string, password: string): Promise<User> =>
  signInBy("/api/auth/signin", { email, password });

/** Creates the first administrator and signs in. Throws like `signIn`. */
export const setUpAdmin = (body: z.infer<typeof setupBody>): Promise<User> =>
  signInBy("/api/auth/setup", body);

/** Sends the second factor. Throws like `signIn`. */
export const giveCode = (code: string): Promise<User> =>
  signInBy("/api/auth/second-factor", { code });

/** Signs in with a passkey alone. Throws like `signIn`, and NotAllowedError if the user declines. */
export async function signInWithPasskey(): Promise<void> {
  const { options } = await call("/api/auth/passkey/options", passkeyOptions, { method: "POST" });
  const { getPasskey } = await import("./passkeys.ts");
  await signInBy("/api/auth/passkey", { response: await getPasskey(options) });
}

/** Requests a link that resets the password. Throws like `signIn`. */
export const requestReset = (email: string): Promise<void> =>
  callForEffect("/api/auth/forgot", { method: "POST", body: { email } });

/** Sets a new password with a reset link. Throws like `signIn`. */
export const resetPassword = (body: { token: string; password: string }): Promise<void> =>
  callForEffect("/api/auth/reset", { method: "POST", body });

/** Returns the details of an invitation. Throws like `signIn`. */
export const openInvitation = (token: string): Promise<z.infer<typeof invitation>> =>
  call("/api/auth/invitation", invitation, { method: "POST", body: { token } });

/** Creates the invited account and signs in. Throws like `signIn`. */
export const acceptInvitation = (body: z.infer<typeof acceptBody>): Promise<User> =>
  signInBy("/api/auth/invitation/accept", body);

/** Database of the unfinished uploads, see `upload-memory.ts`. */
export const uploadDatabase = "kinora-uploads";

/** Waits at most a second, because a browser may not respond. */
function deleteUploads(): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, 1000);
    const request = indexedDB.deleteDatabase(uploadDatabase);
    for (const type of ["success", "error"]) request.addEventListener(type, () => resolve());
  });
}

/**
 * Removes the saved user and the unfinished uploads in this browser, even if the server can't be
 * reached.
 */
export async function signOut(): Promise<void> {
  try {
    await callForEffect("/api/auth/signout", { method: "POST" });
  } finally {
    await deleteUploads().catch(console.warn);
    saveUser(null);
  }
}

/** Asks the server for the current user and saves it. Pages that need a session call it. */
export async function refreshSession(): Promise<User | null> {
  const { user: current } = await call("/api/auth/session", sessionResponse);
  saveUser(current);
  return current;
}
