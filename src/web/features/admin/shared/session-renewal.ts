import { renewedPageToken } from "#contract/accounts/account.ts";
import { ApiError, call } from "#web/lib/api/http.ts";
import { hasPageToken, setPageToken } from "#web/lib/page-token.ts";
import { createStore, useStore } from "#web/lib/store.ts";

/** Makes requests wait until the user has done something, such as signing in over the page. */
function createAsked() {
  const waiting = createStore<readonly ((isDone: boolean) => void)[]>([]);
  return {
    /** Resolves with true once the user has done it, or with false if they gave up. */
    ask: (): Promise<boolean> =>
      new Promise((resolve) => waiting.replace([...waiting.get(), resolve])),
    /** Ends the dialog for every waiting request. */
    end(isDone: boolean): void {
      const asked = waiting.get();
      waiting.replace([]);
      for (const resolve of asked) resolve(isDone);
    },
    /** Returns whether the dialog is open. */
    useIsAsked: (): boolean => useStore(waiting, ({ length }) => length > 0),
  };
}

/**
 * Preserves unsaved forms when a session ends: a rejected request waits until the user has signed
 * in again in a dialog, and is then repeated.
 */
const signIn = createAsked();
export const askToSignIn = signIn.ask;
export const endSignIn = signIn.end;
export const useIsSignInAsked = signIn.useIsAsked;

/**
 * Asks for the password or a passkey before calls that could give a session thief permanent access.
 */
export const confirmation = createAsked();

/** Asks to reload a page that can't continue in the current session. Never resolves with true. */
export const reloading = createAsked();

const ownAccount = "/admin/account";
const maxRecoveries = 3;

let renewing: Promise<boolean> | null = null;

/**
 * Replaces the page token after the user has signed in again, also in another tab. Resolves with
 * false if the session belongs to another user.
 */
function renewToken(): Promise<boolean> {
  renewing ??= call("/api/auth/page-token", renewedPageToken, { method: "POST" })
    .then(
      ({ token }) => {
        setPageToken(token);
        return true;
      },
      () => false,
    )
    .finally(() => {
      renewing = null;
    });
  return renewing;
}

/**
 * Lets the user fix what made a request fail: signs in again, confirms, or reloads the page.
 * @returns true if the request may be repeated.
 */
export async function recover(error: unknown): Promise<boolean> {
  if (!(error instanceof ApiError)) return false;
  if (error.code === "second_factor_missing" && window.location.pathname !== ownAccount) {
    window.location.assign(ownAccount);
  }
  if (error.status === 401) return signIn.ask();
  if (error.code === "confirmation_required") return confirmation.ask();
  if (error.code !== "page_token_required") return false;
  return (hasPageToken() && (await renewToken())) || reloading.ask();
}

/**
 * Runs a request, and repeats it once the user has fixed what made it fail. Opens the account page
 * if a required second factor is missing.
 */
export async function withSession<T>(run: () => Promise<T>): Promise<T> {
  for (let recoveries = 0; ; recoveries += 1) {
    try {
      return await run();
    } catch (error) {
      if (recoveries === maxRecoveries || !(await recover(error))) throw error;
    }
  }
}
