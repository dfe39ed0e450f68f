// @vitest-environment happy-dom
import { act, fireEvent, render, screen } from "@testing-library/react";
import { createBrowserRouter, RouterProvider } from "react-router";
import { expect, it, onTestFinished } from "vitest";
import { stubFetch } from "#test/harness/stub-fetch.ts";
import { adminVideo } from "#web/features/admin/videos/video.fixture.ts";
import { toCardList } from "#web/lib/lists/card-video.ts";
import { PlayAll } from "./play-all.tsx";

async function playAll() {
  const rest = Promise.withResolvers<object>();
  const server = stubFetch({ "GET /api/videos": rest.promise });
  const videos = ["tides", "rain"].map((slug) => adminVideo({ slug }));
  const list = toCardList({ videos, total: 3, nextCursor: "next" });
  window.history.replaceState(null, "", "/trending");
  const router = createBrowserRouter([
    {
      path: "/trending",
      element: (
        <PlayAll
          result={{ isLoaded: true, list }}
          query={{ search: "", category: "", sort: "trending" }}
          name="Trending"
        />
      ),
    },
    { path: "*", element: <p>Another page</p> },
  ]);
  onTestFinished(() => {
    router.dispose();
    window.history.replaceState(null, "", "/");
  });
  render(<RouterProvider router={router} />);
  fireEvent.click(await screen.findByRole("link", { name: "Play all" }));
  await expect.poll(() => server.sent).toHaveLength(1);
  return {
    router,
    finish: () => act(async () => rest.resolve({ videos: [], total: 3, nextCursor: null })),
  };
}

it("opens the first video once the list has loaded", async () => {
  const { router, finish } = await playAll();
  await finish();
  await expect.poll(() => router.state.location.pathname).toBe("/video/tides");
});

it("stays on the page that the visitor has opened meanwhile", async () => {
  const { router, finish } = await playAll();
  await act(() => router.navigate("/tags"));
  await finish();
  await act(async () => {});
  expect(router.state.location.pathname).toBe("/tags");
});
