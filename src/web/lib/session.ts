import { useSyncExternalStore } from "react";
import type { User } from "#contract/accounts/auth.ts";
import { readStored, writeStored } from "./device-storage.ts";
import { createStore } from "./store.ts";

/** User that this browser remembers. Use it for display only, because the server decides. */
export interface Session {
  user: User | null;
  isLoading: boolean;
  initialized: boolean;
}

const storageKey = "user";
const loading: Session = { user: null, isLoading: true, initialized: false };

const session = createStore<Session>(loading);

const setUser = (user: User | null) =>
  session.replace({ user, isLoading: false, initialized: true });

async function readSaved(): Promise<void> {
  const saved = readStored(storageKey);
  // Visitors have no saved user, so they don't load the script that validates it.
  if (saved === null) return setUser(null);
  try {
    const user = (await import("./saved-user.ts")).parseSavedUser(saved);
    // A damaged value says nothing about the session. Another tab may have written it.
    if (user === null) saveUser(session.get().user);
    else setUser(user);
  } catch (error) {
    console.warn(error);
    setUser(null);
  }
}

/** Returns whether this browser remembers a user. Includes users who signed in in another tab. */
export function remembersUser(): boolean {
  // Without storage, the page still remembers who signed in here.
  return (readStored(storageKey) ?? session.get().user) !== null;
}

/** Reads the saved user and removes a damaged one. Call it once, after hydration. */
export function startSession(): void {
  void readSaved();
  window.addEventListener("storage", (event) => {
    if (event.key === storageKey || event.key === null) void readSaved();
  });
}

/** Remembers the signed-in user reported by the server, or null. */
export function saveUser(user: User | null): void {
  writeStored(storageKey, user === null ? null : JSON.stringify(user));
  setUser(user);
}

export const useSession = (): Session =>
  useSyncExternalStore(session.subscribe, session.get, () => loading);
