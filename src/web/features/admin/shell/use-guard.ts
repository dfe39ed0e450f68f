import { useCallback, useEffect, useRef, useState } from "react";
import type { User } from "#contract/accounts/auth.ts";
import { useSession } from "#web/lib/session.ts";
import { refreshSession, signOut } from "#web/lib/session-actions.ts";
import { askToSignIn } from "../shared/session-renewal.ts";
import { confirmDiscard } from "../shared/unsaved.ts";

/**
 * Opens the sign-in page as a new document, so that nothing of the ended session is left: requests
 * that wait for a sign-in, cached responses and running uploads.
 */
const openSignIn = (query = "") => window.location.replace(`/auth/signin${query}`);

/**
 * Guards the back office. Shows the remembered user at once, while the server checks the session.
 * Visitors are redirected to the sign-in page and return afterwards. A user whose session has ended
 * is asked to sign in over the page, so that typed text is preserved.
 */
export function useGuard(): { user: User | null; leave: () => Promise<void> } {
  const { user, isLoading, initialized } = useSession();
  const [confirmed, setConfirmed] = useState<User | null>(null);
  const [isChecked, setChecked] = useState(false);
  const isAsking = useRef(false);
  const [isLeaving, setLeaving] = useState(false);
  const isSignedOut = initialized && !isLoading && user === null;

  useEffect(() => {
    if (!initialized) return;
    void refreshSession()
      .then(setConfirmed, () => {
        // An unreachable server doesn't mean that the session has ended.
      })
      .finally(() => setChecked(true));
  }, [initialized]);

  useEffect(() => {
    if (!isSignedOut || isAsking.current) return;
    if (isLeaving) {
      openSignIn();
      return;
    }
    if (confirmed === null) {
      const { pathname, search } = window.location;
      // The session may be valid even if this browser has forgotten the user.
      if (isChecked) openSignIn(`?next=${encodeURIComponent(pathname + search)}`);
      return;
    }
    isAsking.current = true;
    void askToSignIn().then((isBack) => {
      isAsking.current = false;
      if (!isBack) setConfirmed(null);
    });
  }, [isSignedOut, confirmed, isChecked, isLeaving]);

  const leave = useCallback(async () => {
    if (!(await confirmDiscard())) return;
    setLeaving(true);
    await signOut().catch(() => undefined);
  }, []);

  return { user: user ?? (isLeaving ? null : confirmed), leave };
}
