import { act, cleanup, render } from "@testing-library/react";
import { createBrowserRouter, RouterContextProvider, RouterProvider } from "react-router";
import { onTestFinished, vi } from "vitest";
import { stubFetch, type Reply } from "#test/harness/stub-fetch.ts";
import { browserApi } from "#web/lib/api/page-api.ts";
import { pageApiContext, siteUrlContext } from "#web/lib/page/page-route.ts";
import { siteOf } from "#web/lib/page/site.ts";
import { routes } from "./routes.tsx";

/**
 * Opens a public page with its navigation, like a visitor whose browser has loaded the scripts.
 * @param replies responses of the server.
 */
export async function openPublicPage(path: string, replies: Record<string, Reply>) {
  const server = stubFetch({
    "GET /api/settings/public": siteOf(null, "").settings,
    ...replies,
  });
  // Time passes as usual, but the test can advance it and end toasts.
  vi.useFakeTimers({
    toFake: ["setTimeout", "clearTimeout", "setInterval", "clearInterval", "Date"],
    shouldAdvanceTime: true,
    advanceTimeDelta: 1,
  });
  window.history.replaceState(null, "", path);
  const router = createBrowserRouter(routes, {
    getContext: () => {
      const context = new RouterContextProvider();
      context.set(pageApiContext, browserApi);
      context.set(siteUrlContext, window.location.origin);
      return context;
    },
  });
  await vi.waitUntil(() => router.state.initialized, { timeout: 30_000 });
  const { container } = await act(async () => render(<RouterProvider router={router} />));
  onTestFinished(() => {
    act(() => void vi.runOnlyPendingTimers());
    cleanup();
    router.dispose();
    vi.useRealTimers();
    vi.unstubAllGlobals();
    window.history.replaceState(null, "", "/");
  });
  return { server, router, container };
}
