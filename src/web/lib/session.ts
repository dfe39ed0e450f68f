import { useSyncExternalStore } from "react";
import type { User } from "../../contract/auth.ts";

/** Who is signed in, as far as this browser remembers. A hint for the display: the server decides. */
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

/** Checked by hand: the parsers of the server's answers come later than the first page. */
function isUser(value: unknown): value is User {
  if (typeof value !== "object" || value === null) return false;
  const fields = new Map<string, unknown>(Object.entries(value));
  const role = fields.get("role");
  const isText = (name: string) => typeof fields.get(name) === "string";
  return (role === "ADMIN" || role === "USER") && isText("id") && isText("email") && isText("name");
}

function readSaved(): User | null {
  const saved = localStorage.getItem(storageKey);
  if (saved === null) return null;
  try {
    const user: unknown = JSON.parse(saved);
    if (isUser(user)) return user;
  } catch {
    // Not even JSON.
  }
  localStorage.removeItem(storageKey);
  return null;
}

/** Reads the saved user; a corrupt value is removed. Called once, after hydration. */
export function startSession(): void {
  let user: User | null = null;
  try {
    user = readSaved();
  } catch {
    // Storage is off: nobody is remembered, signing in still works for this page.
  }
  setSession({ user, isLoading: false, initialized: true });
  window.addEventListener("storage", (event) => {
    if (event.key === storageKey || event.key === null) {
      setSession({ user: readSaved(), isLoading: false, initialized: true });
    }
  });
}

export function saveUser(user: User | null): void {
  try {
    if (user === null) localStorage.removeItem(storageKey);
    else localStorage.setItem(storageKey, JSON.stringify(user));
  } catch {
    // As above.
  }
  setSession({ user, isLoading: false, initialized: true });
}

/** Throws ApiError where the server refuses, TypeError where it cannot be reached. */
export async function signIn(email: string, password: string): Promise<User> {
  const { postSignIn } = await import("./session-calls.ts");
  const user = await postSignIn(email, password);
  saveUser(user);
  return user;
}

/** Forgets the user here even where the server cannot be reached. */
export async function signOut(): Promise<void> {
  try {
    const { postSignOut } = await import("./session-calls.ts");
    await postSignOut();
  } finally {
    saveUser(null);
  }
}

/** Asks the server who is signed in and keeps its answer. Pages that need a session call it. */
export async function refreshSession(): Promise<User | null> {
  const { fetchSessionUser } = await import("./session-calls.ts");
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
