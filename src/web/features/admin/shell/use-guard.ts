import { useCallback, useEffect, useRef, useState } from "react";
import { useLocation, useNavigate } from "react-router";
import type { User } from "#contract/accounts/auth.ts";
import { useSession } from "#web/lib/session.ts";
import { refreshSession, signOut } from "#web/lib/session-actions.ts";
import { askToSignIn } from "../shared/session-renewal.ts";
import { confirmDiscard } from "../shared/unsaved.ts";

/**
 * Guards the back office. Shows the remembered user at once, while the server checks the session.
 * Visitors are redirected to the sign-in page and return afterwards. A user whose session has ended
 * is asked to sign in over the page, so that typed text is preserved.
 */
export function useGuard(): { user: User | null; leave: () => Promise<void> } {
  const { user, isLoading, initialized } = useSession();
  const { pathname, search } = useLocation();
  const navigate = useNavigate();
  const [confirmed, setConfirmed] = useState<User | null>(null);
  const [isJudged, setJudged] = useState(false);
  const isAsking = useRef(false);
  const [isLeaving, setLeaving] = useState(false);
  const isSignedOut = initialized && !isLoading && user === null;

  const goToSignIn = useCallback(() => {
    const next = encodeURIComponent(window.location.pathname + window.location.search);
    void navigate(`/auth/signin?next=${next}`, { replace: true });
  }, [navigate]);

  useEffect(() => {
    if (!initialized) return;
    void refreshSession()
      .then(setConfirmed, () => {
        // An unreachable server doesn't mean that the session has ended.
      })
      .finally(() => setJudged(true));
  }, [initialized]);

  useEffect(() => {
    if (!isSignedOut || isAsking.current || isLeaving) return;
    if (confirmed === null) {
      // The session may be valid even if this browser has forgotten the user.
      if (isJudged) goToSignIn();
      return;
    }
    isAsking.current = true;
    void askToSignIn().then((isBack) => {
      isAsking.current = false;
      if (isBack) return;
      setConfirmed(null);
      goToSignIn();
    });
  }, [isSignedOut, confirmed, isJudged, isLeaving, goToSignIn, pathname, search]);

  const leave = useCallback(async () => {
    if (!(await confirmDiscard())) return;
    setLeaving(true);
    await signOut().catch(() => undefined);
    await navigate("/auth/signin", { replace: true });
  }, [navigate]);

  return { user: user ?? (isLeaving ? null : confirmed), leave };
}
