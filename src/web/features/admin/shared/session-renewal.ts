import { useSyncExternalStore } from "react";
import { ApiError } from "../../../lib/http.ts";

/**
 * A session that ends in the middle of a day's work must not cost a half-written form: the call that
 * was refused waits until the person has signed in again over the page, then runs once more.
 */
let waiting: ((isSignedIn: boolean) => void)[] = [];
const listeners = new Set<() => void>();

function tell(): void {
  for (const listener of listeners) listener();
}

/** Resolves with true once the person has signed in again, false where they gave up. */
export function askToSignIn(): Promise<boolean> {
  return new Promise((resolve) => {
    waiting = [...waiting, resolve];
    tell();
  });
}

/** The answer of the dialog, for every call that waits. */
export function answerSignIn(isSignedIn: boolean): void {
  const asked = waiting;
  waiting = [];
  tell();
  for (const resolve of asked) resolve(isSignedIn);
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Whether the dialog should stand open. */
export function useIsSignInAsked(): boolean {
  return useSyncExternalStore(
    subscribe,
    () => waiting.length > 0,
    () => false,
  );
}

/** Runs a call; where the session has ended, asks for a new one and runs it again. */
export async function withSession<T>(run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    const hasEnded = error instanceof ApiError && error.status === 401;
    if (!hasEnded || !(await askToSignIn())) throw error;
    return run();
  }
}
