// @vitest-environment happy-dom
import { createBrowserRouter, RouterProvider } from "react-router";
import { afterEach, expect, it, vi } from "vitest";
import { act, render } from "@testing-library/react";
import type { Role } from "#contract/accounts/auth.ts";
import { useListParams } from "../shared/list-params.ts";
import { AdminUser } from "../shared/admin-page.tsx";
import { getVideo } from "./calls.ts";
import { useLinkedVideo } from "./use-linked-video.ts";

vi.mock("./calls.ts");

afterEach(() => window.history.replaceState(null, "", "/"));

function List({ onVideo }: { onVideo: () => void }): null {
  useLinkedVideo(useListParams(), onVideo);
  return null;
}

/** Opens a link to the form of a video. */
async function open(role: Role) {
  vi.mocked(getVideo).mockResolvedValue({} as Awaited<ReturnType<typeof getVideo>>);
  window.history.replaceState(null, "", "/admin/videos?edit=7");
  const onVideo = vi.fn();
  const router = createBrowserRouter([
    { path: "/admin/videos", element: <List onVideo={onVideo} /> },
    { path: "/admin/videos/:id", element: <p>Details</p> },
  ]);
  const user = { id: "1", email: "ada@example.com", name: "Ada", role };
  const { container } = render(
    <AdminUser value={user}>
      <RouterProvider router={router} />
    </AdminUser>,
  );
  await act(async () => {});
  router.dispose();
  return { onVideo, container };
}

it("opens the form for an editor", async () => {
  const { onVideo } = await open("EDITOR");
  expect(onVideo).toHaveBeenCalledOnce();
  expect(window.location.pathname).toBe("/admin/videos");
});

it.each(["MODERATOR", "ANALYST"] as const)(
  "opens the details page for role %s, which may not edit",
  async (role) => {
    const { onVideo, container } = await open(role);
    expect(container.textContent).toBe("Details");
    expect(window.location.pathname).toBe("/admin/videos/7");
    expect(onVideo).not.toHaveBeenCalled();
  },
);
