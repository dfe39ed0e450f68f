import type { User } from "#contract/accounts/auth.ts";
import {
  fetchSessionUser,
  postAcceptance,
  postCode,
  postForgot,
  postInvitation,
  postPasskey,
  postReset,
  postSetup,
  postSignIn,
  postSignOut,
  type AcceptBody,
  type SetupBody,
} from "./api/session-calls.ts";
import { saveUser } from "./session.ts";

/** @throws ApiError if the server rejects it, TypeError if the server can't be reached. */
export async function signIn(email: string, password: string): Promise<User> {
  const user = await postSignIn(email, password);
  saveUser(user);
  return user;
}

/** Creates the first administrator and signs in. Throws like `signIn`. */
export async function setUpAdmin(body: SetupBody): Promise<void> {
  saveUser(await postSetup(body));
}

/** Sends the second factor. Throws like `signIn`. */
export async function giveCode(code: string): Promise<void> {
  saveUser(await postCode(code));
}

/** Signs in with a passkey alone. Throws like `signIn`, and if the user declines. */
export async function signInWithPasskey(): Promise<void> {
  saveUser(await postPasskey());
}

/** Requests a link that resets the password. Throws like `signIn`. */
export async function requestReset(email: string): Promise<void> {
  await postForgot(email);
}

/** Sets a new password with a reset link. Throws like `signIn`. */
export async function resetPassword(body: { token: string; password: string }): Promise<void> {
  await postReset(body);
}

/** Returns the details of an invitation. Throws like `signIn`. */
export async function openInvitation(token: string): Promise<{ email: string }> {
  return postInvitation(token);
}

/** Creates the invited account and signs in. Throws like `signIn`. */
export async function acceptInvitation(body: AcceptBody): Promise<void> {
  saveUser(await postAcceptance(body));
}

/** Removes the saved user even if the server can't be reached. */
export async function signOut(): Promise<void> {
  try {
    await postSignOut();
  } finally {
    saveUser(null);
  }
}

/** Asks the server for the current user and saves it. Pages that need a session call it. */
export async function refreshSession(): Promise<User | null> {
  const user = await fetchSessionUser();
  saveUser(user);
  return user;
}
