// @vitest-environment happy-dom
import { act, fireEvent, screen } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import { createStore } from "#web/lib/store.ts";
import { adminVideo } from "#web/features/admin/videos/video.fixture.ts";
import type { Player } from "./core/player.ts";
import { emptyState } from "./core/player-state.ts";
import { showMiniPlayer } from "./mini-player.tsx";

afterEach(() => vi.restoreAllMocks());

/** Shows the mini player of a video that plays at 12.7 seconds. */
function showMini(search: string) {
  const media = document.createElement("video");
  const destroy = vi.fn();
  const store = createStore({ ...emptyState, isPaused: false, positionS: 12.7 });
  const player = { store, media, destroy } as Partial<Player> as Player;
  const frame = document.body.appendChild(document.createElement("section"));
  const video = adminVideo({ slug: "tides" });
  act(() => showMiniPlayer(frame, player, { video, search, siteName: "Site" }));
  const back = screen.getByRole<HTMLAnchorElement>("link", { name: "Back to the video" });
  back.addEventListener("click", (event) => event.preventDefault());
  return { back, destroy };
}

test.each([
  ["", "?t=12"],
  ["?list=queue&t=3", "?list=queue&t=12"],
  ["?in=tags.tidal", "?in=tags.tidal&t=12"],
])("returns from %s to %s, so that a playlist or series continues", (search, expected) => {
  const { back, destroy } = showMini(search);
  expect(back.getAttribute("href")).toBe(`/video/tides${search}`);
  fireEvent.click(back);
  expect(back.pathname + back.search).toBe(`/video/tides${expected}`);
  expect(destroy).not.toHaveBeenCalled();
  fireEvent.click(screen.getByRole("button", { name: "Close" }));
  expect(destroy).toHaveBeenCalled();
});

test("closes with reduced motion, because the page doesn't start its video", () => {
  vi.spyOn(window, "matchMedia").mockReturnValue({ matches: true } as MediaQueryList);
  const { back, destroy } = showMini("");
  fireEvent.click(back, { ctrlKey: true });
  expect(destroy).not.toHaveBeenCalled();
  fireEvent.click(back);
  expect(destroy).toHaveBeenCalled();
  expect(screen.queryByRole("link")).toBeNull();
});
