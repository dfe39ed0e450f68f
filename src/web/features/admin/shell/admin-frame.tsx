import { QueryClientProvider } from "@tanstack/react-query";
import { useState, useCallback, useEffect, useRef } from "react";
import { Outlet, useLocation } from "react-router";
import { ConfirmHost } from "#web/components/ui/confirm-dialog.tsx";
import { Spinner } from "#web/components/ui/spinner.tsx";
import { adminHandle, AdminUser } from "../shared/admin-page.tsx";
import { DeletionHost } from "../videos/clips/confirm-deletion.tsx";
import { NoticeHost } from "../shared/notices.tsx";
import { createAdminQueryClient } from "../shared/query-client.ts";
import { UnsavedGuard, confirmDiscard } from "../shared/unsaved.ts";
import { UploadsProvider, useDiscardUploads } from "../upload/queue-context.tsx";
import { UploadDock } from "../upload/upload-dock.tsx";
import { UploadWizard } from "../upload/upload-wizard.tsx";
import "../shared/admin.css";
import { can } from "#contract/accounts/policy.ts";
import { adminPageOf } from "../admin-pages.ts";
import { CommandPalette } from "./command-palette.tsx";
import { SideMenu } from "./side-menu.tsx";
import { SignInAgain, ConfirmChange } from "./sign-in-again.tsx";
import { TopBar } from "./top-bar.tsx";
import { Button, buttonClass } from "#web/components/ui/button.tsx";
import { Dialog } from "#web/components/ui/dialog.tsx";
import { reloading, askToSignIn, endSignIn } from "../shared/session-renewal.ts";
import type { User } from "#contract/accounts/auth.ts";
import { useSession } from "#web/lib/session.ts";
import { refreshSession, signOut } from "#web/lib/session-actions.ts";
import { removeWorker } from "#web/lib/visitor-library/keep-offline.ts";

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
function useGuard(): { user: User | null; leave: () => Promise<void> } {
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

  // The user may have signed in again in another tab. Each request that waits then gets a new page
  // token, or the page asks to be reloaded if it is another user.
  useEffect(() => {
    if (user !== null) endSignIn(true);
  }, [user]);

  const leave = useCallback(async () => {
    setLeaving(true);
    await signOut().catch(() => undefined);
  }, []);

  return { user: user ?? (isLeaving ? null : confirmed), leave };
}

/**
 * Asks to reload a page that doesn't belong to the current session: another user has signed in, or
 * the page is older than an update of the site. The browser asks before it discards a form.
 */
function ReloadPage() {
  const isOpen = reloading.useIsAsked();
  const close = () => reloading.end(false);
  return (
    <Dialog
      isOpen={isOpen}
      onClose={close}
      size="small"
      title="Reload this page"
      description="You signed in as another user, or the site was updated. To keep text that isn't saved, copy it before you reload."
      footer={
        <>
          <Button onClick={close}>Not now</Button>
          <Button kind="primary" onClick={() => window.location.reload()}>
            Reload
          </Button>
        </>
      }
    />
  );
}

/** Shown if the role doesn't allow this page. The user may sign out to use another account. */
function AccessDenied({ role, onSignOut }: { role: string; onSignOut: () => void }) {
  return (
    <main className="mx-auto flex min-h-dvh max-w-md flex-col items-center justify-center gap-3 p-6 text-center">
      <h1 className="text-xl font-semibold">Access Denied</h1>
      <p className="text-ink-11">You don't have permission to access this page.</p>
      <p className="text-sm text-ink-11">
        Your role: <strong className="text-ink-12">{role}</strong>
      </p>
      <div className="flex flex-wrap justify-center gap-2">
        {role === "USER" ? null : (
          <a href="/admin" className={buttonClass({ kind: "quiet" })}>
            Dashboard
          </a>
        )}
        <a href="/home" className={buttonClass({ kind: "quiet" })}>
          View site
        </a>
        <Button kind="ghost" onClick={onSignOut}>
          Sign Out
        </Button>
      </div>
    </main>
  );
}

/** Menus and the current page. */
function Office({ user, onLeave }: { user: User; onLeave: () => void }) {
  const [isPaletteOpen, setPaletteOpen] = useState(false);
  const discardUploads = useDiscardUploads();
  const leave = async () => {
    if ((await confirmDiscard()) && (await discardUploads())) onLeave();
  };
  return (
    <>
      <a href="#content" className="skip-link">
        Skip to content
      </a>
      <div data-admin className="text-sm">
        <TopBar user={user} onPalette={() => setPaletteOpen(true)} onSignOut={() => void leave()} />
        <div className="lg:grid lg:grid-cols-[13.5rem_minmax(0,1fr)]">
          <aside className="sticky top-14 hidden h-[calc(100dvh-3.5rem)] overflow-y-auto border-e border-line p-2 lg:block">
            <SideMenu />
          </aside>
          <main id="content" tabIndex={-1} className="min-w-0 px-4 py-5 md:px-6 lg:px-8">
            <div className="mx-auto max-w-[90rem]">
              <Outlet />
            </div>
          </main>
        </div>
      </div>
      <CommandPalette
        isOpen={isPaletteOpen}
        onOpen={setPaletteOpen}
        onSignOut={() => void leave()}
      />
      <UploadDock />
      <UploadWizard />
    </>
  );
}

export const handle = adminHandle("Admin");

/** Frame of the back office. The server checks the session of every request too. */
export function Component() {
  const { user, leave } = useGuard();
  const [queryClient] = useState(createAdminQueryClient);
  const { pathname } = useLocation();
  useEffect(() => void removeWorker().catch(console.warn), []);

  if (user === null) {
    return (
      <main className="flex min-h-dvh items-center justify-center">
        <Spinner label="Loading..." />
      </main>
    );
  }
  const { needs } = adminPageOf(pathname);
  if (needs !== undefined && !can(user.role, needs)) {
    return <AccessDenied role={user.role} onSignOut={() => void leave()} />;
  }
  return (
    <QueryClientProvider client={queryClient}>
      <AdminUser value={user}>
        <UploadsProvider>
          <Office user={user} onLeave={() => void leave()} />
        </UploadsProvider>
      </AdminUser>
      <UnsavedGuard />
      <ConfirmHost />
      <DeletionHost />
      <NoticeHost />
      <SignInAgain email={user.email} />
      <ConfirmChange email={user.email} />
      <ReloadPage />
    </QueryClientProvider>
  );
}
