import { QueryClientProvider } from "@tanstack/react-query";
import { act, cleanup, render } from "@testing-library/react";
import { useState } from "react";
import { createBrowserRouter, Outlet, RouterProvider, type RouteObject } from "react-router";
import { onTestFinished, vi } from "vitest";
import type { Role, User } from "#contract/accounts/auth.ts";
import type { AdminEvent } from "#contract/site/admin-events.ts";
import { stubFetch, type Reply } from "#test/harness/stub-fetch.ts";
import { RootLayout } from "#web/app/layouts/root-layout.tsx";
import { ConfirmHost } from "#web/components/ui/confirm-dialog.tsx";
import { page } from "#web/lib/page/page-route.ts";
import { saveUser } from "#web/lib/session.ts";
import { adminPages, adminRoutes } from "../admin-pages.ts";
import { UploadsProvider } from "../upload/queue-context.tsx";
import { fakeUploadDatabase } from "../upload/queue/upload-database.fixture.ts";
import { UploadDock } from "../upload/upload-dock.tsx";
import { UploadWizard } from "../upload/upload-wizard.tsx";
import { DeletionHost } from "../videos/clips/confirm-deletion.tsx";
import { NoticeHost } from "./notices.tsx";
import { createAdminQueryClient } from "./query-client.ts";
import { UnsavedGuard } from "./unsaved.ts";
import { AdminUser } from "./admin-page.tsx";

/** User of the back office. */
export const adminUser = (role: Role = "ADMIN"): User => ({
  id: "11111111-1111-4111-8111-111111111111",
  email: "ada@example.test",
  name: "Ada",
  role,
});

/** What the back office gives its pages, without its menus, which take longer than most pages. */
function PlainFrame({ user }: { user: User }) {
  const [client] = useState(createAdminQueryClient);
  return (
    <QueryClientProvider client={client}>
      <AdminUser value={user}>
        <UploadsProvider>
          <main>
            <Outlet />
          </main>
          <UploadDock />
          <UploadWizard />
        </UploadsProvider>
      </AdminUser>
      <UnsavedGuard />
      <ConfirmHost />
      <DeletionHost />
      <NoticeHost />
    </QueryClientProvider>
  );
}

const plainRoutes = (user: User): RouteObject[] => [
  {
    element: <PlainFrame user={user} />,
    children: adminPages.map(({ href, file, load }) => page(href, file, load)),
  },
];

/**
 * Opens a page of the back office.
 * @param replies responses of the server.
 * @param options.isRemembered false if the browser has forgotten the user.
 * @param options.database replaces `indexedDB`.
 * @param options.hasMenus true for the frame that users see, with menus and the session's guard.
 */
export async function openAdminPage(
  path: string,
  replies: Record<string, Reply>,
  {
    role = "ADMIN",
    hasMenus = false,
    isRemembered = true,
    // Without a database of unfinished uploads, reading it never ends.
    database = { ...fakeUploadDatabase(), open: () => new EventTarget() },
  }: { role?: Role; hasMenus?: boolean; isRemembered?: boolean; database?: object } = {},
) {
  const user = adminUser(role);
  const server = stubFetch({ "GET /api/auth/session": { user }, ...replies });
  // Time passes as usual, but the test can advance it and end toasts.
  vi.useFakeTimers({
    toFake: ["setTimeout", "clearTimeout", "setInterval", "clearInterval", "Date"],
    shouldAdvanceTime: true,
    advanceTimeDelta: 1,
  });
  const streams = new Set<EventTarget>();
  class Stream extends EventTarget {
    constructor() {
      super();
      streams.add(this);
    }
    close(): void {
      streams.delete(this);
    }
  }
  vi.stubGlobal("EventSource", Stream);
  vi.stubGlobal("indexedDB", database);
  window.history.replaceState(null, "", path);
  saveUser(isRemembered ? user : null);
  const children = hasMenus ? adminRoutes : plainRoutes(user);
  const router = createBrowserRouter([{ Component: RootLayout, children }]);
  // Loads the page before it is rendered.
  await vi.waitUntil(() => router.state.initialized, { timeout: 30_000 });
  const { container } = await act(async () => render(<RouterProvider router={router} />));
  onTestFinished(() => {
    // Ends toasts and notices, which outlive their page.
    act(() => void vi.runOnlyPendingTimers());
    cleanup();
    router.dispose();
    vi.useRealTimers();
    vi.unstubAllGlobals();
    saveUser(null);
    window.history.replaceState(null, "", "/");
  });
  return {
    server,
    router,
    container,
    /** Sends an event of the server to the page. */
    sendEvent: (event: AdminEvent) =>
      act(() => {
        const message = new MessageEvent("message", { data: JSON.stringify(event) });
        for (const stream of streams) stream.dispatchEvent(message);
      }),
  };
}
