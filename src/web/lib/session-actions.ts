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

/** @throws ApiError if the server refuses, TypeError if it can't be reached. */
export async function signIn(email: string, password: string): Promise<User> {
  const user = await postSignIn(email, password);
  saveUser(user);
  return user;
}

/** Creates the first administrator and signs in. Throws as `signIn` does. */
export async function setUpAdmin(body: SetupBody): Promise<void> {
  saveUser(await postSetup(body));
}

/** The second step of signing in. Throws as `signIn` does. */
export async function giveCode(code: string): Promise<void> {
  saveUser(await postCode(code));
}

/** Signs in by a passkey alone. Throws as `signIn` does, and where the user declines. */
export async function signInWithPasskey(): Promise<void> {
  saveUser(await postPasskey());
}

/** Asks for a link that resets the password. Throws as `signIn` does. */
export async function askForReset(email: string): Promise<void> {
  await postForgot(email);
}

/** Sets a new password by such a link. Throws as `signIn` does. */
export async function resetPassword(body: { token: string; password: string }): Promise<void> {
  await postReset(body);
}

/** Returns the details of an invitation. Throws as `signIn` does. */
export async function openInvitation(token: string): Promise<{ email: string }> {
  return postInvitation(token);
}

/** Creates the invited account and signs in. Throws as `signIn` does. */
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
