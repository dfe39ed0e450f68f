import { useSyncExternalStore } from "react";
import { ApiError } from "../../../lib/api/http.ts";

/**
 * A session that ends must not cost a half-written form: a refused request waits until the user has
 * signed in again over the page, then it is sent again.
 */
let waiting: ((isSignedIn: boolean) => void)[] = [];
const listeners = new Set<() => void>();

function tell(): void {
  for (const listener of listeners) listener();
}

/** Resolves with true after the user has signed in again, false if they gave up. */
export function askToSignIn(): Promise<boolean> {
  return new Promise((resolve) => {
    waiting = [...waiting, resolve];
    tell();
  });
}

/** Ends the dialog for every waiting request. */
export function endSignIn(isSignedIn: boolean): void {
  const asked = waiting;
  waiting = [];
  tell();
  for (const resolve of asked) resolve(isSignedIn);
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Whether the dialog is open. */
export function useIsSignInAsked(): boolean {
  return useSyncExternalStore(
    subscribe,
    () => waiting.length > 0,
    () => false,
  );
}

/** Runs a request; if the session has ended, asks for a new one and runs it again. */
export async function withSession<T>(run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    const hasEnded = error instanceof ApiError && error.status === 401;
    if (!hasEnded || !(await askToSignIn())) throw error;
    return run();
  }
}
