import { ApiError } from "#web/lib/api/http.ts";
import { createAsked } from "./asked.ts";

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

const ownAccount = "/admin/account";

/**
 * Runs a request. If the session has ended or a confirmation is required, asks for it and runs it
 * again. Opens the account page if a required second factor is missing.
 */
export async function withSession<T>(run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    if (error.code === "second_factor_missing" && window.location.pathname !== ownAccount) {
      window.location.assign(ownAccount);
    }
    const asked =
      error.status === 401 ? signIn : error.code === "confirmation_required" ? confirmation : null;
    if (asked === null || !(await asked.ask())) throw error;
    return run();
  }
}
