import { useSyncExternalStore } from "react";
import { user as userSchema, type User } from "../../contract/auth.ts";
import type { AcceptBody, SetupBody } from "./api/session-calls.ts";

/** The user that this browser remembers. Only a hint for the display: the server decides. */
export interface Session {
  user: User | null;
  isLoading: boolean;
  initialized: boolean;
}

const storageKey = "user";
const loading: Session = { user: null, isLoading: true, initialized: false };

let session: Session = loading;
const listeners = new Set<() => void>();

function setSession(next: Session): void {
  session = next;
  for (const listener of listeners) listener();
}

function readSaved(): User | null {
  const saved = localStorage.getItem(storageKey);
  if (saved === null) return null;
  try {
    return userSchema.parse(JSON.parse(saved));
  } catch {
    localStorage.removeItem(storageKey);
    return null;
  }
}

/** Reads the saved user and removes a damaged one. Call it once, after hydration. */
export function startSession(): void {
  let user: User | null = null;
  try {
    user = readSaved();
  } catch {
    // Storage is off. Signing in still works for this page.
  }
  setSession({ user, isLoading: false, initialized: true });
  window.addEventListener("storage", (event) => {
    if (event.key === storageKey || event.key === null) {
      setSession({ user: readSaved(), isLoading: false, initialized: true });
    }
  });
}

function saveUser(user: User | null): void {
  try {
    if (user === null) localStorage.removeItem(storageKey);
    else localStorage.setItem(storageKey, JSON.stringify(user));
  } catch {
    // Storage is off.
  }
  setSession({ user, isLoading: false, initialized: true });
}

/** Throws ApiError where the server refuses, TypeError where it cannot be reached. */
export async function signIn(email: string, password: string): Promise<User> {
  const { postSignIn } = await import("./api/session-calls.ts");
  const user = await postSignIn(email, password);
  saveUser(user);
  return user;
}

/** Creates the first administrator and signs in. Throws as `signIn` does. */
export async function setUpAdmin(body: SetupBody): Promise<void> {
  const { postSetup } = await import("./api/session-calls.ts");
  saveUser(await postSetup(body));
}

/** The second step of signing in. Throws as `signIn` does. */
export async function giveCode(code: string): Promise<void> {
  const { postCode } = await import("./api/session-calls.ts");
  saveUser(await postCode(code));
}

/** Signs in by a passkey alone. Throws as `signIn` does, and where the user declines. */
export async function signInWithPasskey(): Promise<void> {
  const { postPasskey } = await import("./api/session-calls.ts");
  saveUser(await postPasskey());
}

/** Asks for a link that resets the password. Throws as `signIn` does. */
export async function askForReset(email: string): Promise<void> {
  const { postForgot } = await import("./api/session-calls.ts");
  await postForgot(email);
}

/** Sets a new password by such a link. Throws as `signIn` does. */
export async function resetPassword(body: { token: string; password: string }): Promise<void> {
  const { postReset } = await import("./api/session-calls.ts");
  await postReset(body);
}

/** What the link of an invitation offers. Throws as `signIn` does. */
export async function openInvitation(token: string): Promise<{ email: string }> {
  const { postInvitation } = await import("./api/session-calls.ts");
  return postInvitation(token);
}

/** Creates the invited account and signs in. Throws as `signIn` does. */
export async function acceptInvitation(body: AcceptBody): Promise<void> {
  const { postAcceptance } = await import("./api/session-calls.ts");
  saveUser(await postAcceptance(body));
}

/** Removes the saved user even where the server cannot be reached. */
export async function signOut(): Promise<void> {
  try {
    const { postSignOut } = await import("./api/session-calls.ts");
    await postSignOut();
  } finally {
    saveUser(null);
  }
}

/** Asks the server for the current user and saves it. Pages that need a session call it. */
export async function refreshSession(): Promise<User | null> {
  const { fetchSessionUser } = await import("./api/session-calls.ts");
  const user = await fetchSessionUser();
  saveUser(user);
  return user;
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function useSession(): Session {
  return useSyncExternalStore(
    subscribe,
    () => session,
    () => loading,
  );
}
