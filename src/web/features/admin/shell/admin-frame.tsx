import { QueryClientProvider } from "@tanstack/react-query";
import { useState } from "react";
import { Outlet, useLocation } from "react-router";
import { ConfirmHost } from "#web/components/ui/confirm-dialog.tsx";
import { Spinner } from "#web/components/ui/spinner.tsx";
import { AdminUser } from "../shared/use-can.ts";
import { adminHandle } from "../shared/admin-handle.ts";
import { NoticeHost } from "../shared/notices.tsx";
import { createAdminQueryClient } from "../shared/query-client.ts";
import { UnsavedGuard } from "../shared/unsaved.ts";
import { UploadsProvider } from "../upload/queue-context.tsx";
import { UploadDock } from "../upload/upload-dock.tsx";
import { UploadWizard } from "../upload/upload-wizard.tsx";
import "../shared/admin.css";
import { can } from "#contract/accounts/policy.ts";
import { adminPageOf } from "../admin-pages.ts";
import { AccessDenied } from "./access-denied.tsx";
import { CommandPalette } from "./command-palette.tsx";
import { ConfirmChange } from "./confirm-change.tsx";
import { ReloadPage } from "./reload-page.tsx";
import { SideMenu } from "./side-menu.tsx";
import { SignInAgain } from "./sign-in-again.tsx";
import { TopBar } from "./top-bar.tsx";
import { useGuard } from "./use-guard.ts";

export const handle = adminHandle("Admin");

/** Frame of the back office. The server checks the session of every request too. */
export function Component() {
  const { user, leave } = useGuard();
  const [queryClient] = useState(createAdminQueryClient);
  const { pathname } = useLocation();
  const [isPaletteOpen, setPaletteOpen] = useState(false);

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
          <a href="#content" className="skip-link">
            Skip to content
          </a>
          <div data-admin className="text-sm">
            <TopBar
              user={user}
              onPalette={() => setPaletteOpen(true)}
              onSignOut={() => void leave()}
            />
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
        </UploadsProvider>
      </AdminUser>
      <UnsavedGuard />
      <ConfirmHost />
      <NoticeHost />
      <SignInAgain email={user.email} />
      <ConfirmChange email={user.email} />
      <ReloadPage />
    </QueryClientProvider>
  );
}
