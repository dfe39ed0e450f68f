import { useCallback, useEffect, useRef, useState } from "react";
import { useLocation, useNavigate } from "react-router";
import type { User } from "../../../../contract/auth.ts";
import { refreshSession, signOut, useSession } from "../../../lib/session.ts";
import { askToSignIn } from "../shared/session-renewal.ts";

/**
 * Who may see the back office. What this browser remembers is shown at once; the server is asked
 * beside it, and decides. Whoever is not signed in goes to the sign-in page and comes back here.
 * Who was signed in and is no more (the session ended, another tab signed out) is asked to sign in
 * over the page, so that nothing typed is lost.
 */
export function useGuard(): { user: User | null; leave: () => Promise<void> } {
  const { user, isLoading, initialized } = useSession();
  const { pathname, search } = useLocation();
  const navigate = useNavigate();
  const [confirmed, setConfirmed] = useState<User | null>(null);
  const isAsking = useRef(false);
  const [isLeaving, setLeaving] = useState(false);
  const isSignedOut = initialized && !isLoading && user === null;

  const goToSignIn = useCallback(() => {
    const next = encodeURIComponent(window.location.pathname + window.location.search);
    void navigate(`/auth/signin?next=${next}`, { replace: true });
  }, [navigate]);

  useEffect(() => {
    if (!initialized) return;
    refreshSession().then(setConfirmed, () => {
      // Off-line or a server that restarts says nothing about the session.
    });
  }, [initialized]);

  useEffect(() => {
    if (!isSignedOut || isAsking.current || isLeaving) return;
    if (confirmed === null) {
      goToSignIn();
      return;
    }
    isAsking.current = true;
    void askToSignIn().then((isBack) => {
      isAsking.current = false;
      if (isBack) return;
      setConfirmed(null);
      goToSignIn();
    });
  }, [isSignedOut, confirmed, isLeaving, goToSignIn, pathname, search]);

  const leave = useCallback(async () => {
    setLeaving(true);
    await signOut().catch(() => undefined);
    await navigate("/auth/signin", { replace: true });
  }, [navigate]);

  return { user: user ?? (isLeaving ? null : confirmed), leave };
}
