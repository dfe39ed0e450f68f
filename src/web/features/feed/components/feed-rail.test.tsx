// @vitest-environment happy-dom
import { useState } from "react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { FeedVideo } from "#contract/lists/feed.ts";
import { likeStatus } from "#contract/videos/marks.ts";
import { toast } from "#web/components/ui/toast.tsx";
import { act, fireEvent, render, screen, waitFor } from "@testing-library/react";
import { call } from "#web/lib/api/http.ts";
import { setFavorite } from "#web/lib/api/visitor-marks.ts";
import { feedVideo } from "../core/feed-items.fixture.ts";
import { emptyPreferences } from "#web/features/player/core/player.fixture.ts";
import { createFeedSound, type FeedSound } from "../core/sound.ts";
import { useLike } from "../hooks/use-current-clip.ts";
import { siteOf } from "#web/lib/page/site.ts";
import { FeedRail } from "./feed-rail.tsx";

vi.mock("./feed-menu.tsx", () => ({
  get FeedMenu() {
    throw new TypeError("Failed to fetch dynamically imported module");
  },
}));

vi.mock("#web/lib/page/site.ts", async (original) => ({
  ...(await original<object>()),
  useSite: () => siteOf(null, "http://localhost:3000"),
}));
vi.mock("#web/lib/api/http.ts", async (original) => ({
  ...(await original<object>()),
  call: vi.fn(),
}));
vi.mock("#web/lib/api/visitor-marks.ts", async (original) => ({
  ...(await original<object>()),
  setFavorite: vi.fn(),
}));

function Rail({ initial, sound }: { initial: FeedVideo; sound: FeedSound }) {
  const [video, setVideo] = useState(initial);
  const patch = (_id: string, values: Partial<FeedVideo>) =>
    setVideo((before) => ({ ...before, ...values }));
  const like = useLike(video, patch);
  return (
    <FeedRail
      video={video}
      like={like}
      sound={sound}
      player={null}
      onPatch={patch}
      onSteer={() => {}}
    />
  );
}

const renderRail = (values: Partial<FeedVideo> = {}, sound = createFeedSound()) =>
  render(<Rail initial={feedVideo("a", { likes: 3, title: "Ants", ...values })} sound={sound} />);

/** Promise that the test settles. */
function held<Value>() {
  let resolve: (value: Value) => void = () => {};
  const promise = new Promise<Value>((onValue) => {
    resolve = onValue;
  });
  return { promise, resolve };
}

let error: ReturnType<typeof vi.spyOn>;
beforeEach(() => {
  error = vi.spyOn(toast, "error").mockImplementation(() => {});
  vi.spyOn(console, "warn").mockImplementation(() => {});
});
afterEach(() => vi.unstubAllGlobals());

test("counts a like immediately, shows Liking..., then shows the server's count", async () => {
  const request = held<{ liked: boolean; likesCount: number }>();
  vi.mocked(call).mockReturnValueOnce(request.promise);
  renderRail();
  const button = screen.getByRole("button", { name: /^Like, 3 likes$/ });
  fireEvent.click(button);
  expect(button.textContent).toBe("Liking...");
  expect(button.getAttribute("aria-label")).toBe("Liking...");
  expect(button.getAttribute("aria-disabled")).toBe("true");
  expect(button.getAttribute("aria-pressed")).toBe("true");
  await act(async () => request.resolve({ liked: true, likesCount: 42 }));
  expect(button.textContent).toBe("42");
  expect(button.getAttribute("aria-disabled")).toBe("false");
  expect(call).toHaveBeenCalledWith("/api/videos/a/like", likeStatus, { method: "POST" });
});

test("reverts a failed like with an error toast", async () => {
  vi.mocked(call).mockRejectedValueOnce(new Error("500"));
  renderRail();
  const button = screen.getByRole("button", { name: /^Like/ });
  fireEvent.click(button);
  await waitFor(() =>
    expect(error).toHaveBeenCalledWith("Failed to update like. Please try again."),
  );
  expect(button.textContent).toBe("3");
  expect(button.getAttribute("aria-pressed")).toBe("false");
});

test("saves immediately, and restores the state with an error toast after a failure", async () => {
  vi.mocked(setFavorite).mockResolvedValueOnce(true).mockRejectedValueOnce(new Error("500"));
  renderRail();
  const button = screen.getByRole("button", { name: "Save to favorites" });
  fireEvent.click(button);
  expect(button.getAttribute("aria-pressed")).toBe("true");
  expect(button.getAttribute("aria-label")).toBe("Save to favorites");
  await act(async () => {});
  await act(async () => void fireEvent.click(button));
  expect(setFavorite).toHaveBeenLastCalledWith("a", false);
  expect(button.getAttribute("aria-pressed")).toBe("true");
  expect(error).toHaveBeenCalledWith("Failed to update favorites. Please try again.");
});

test("shares with the device's sheet if there is one", () => {
  const share = vi.fn(() => Promise.resolve());
  vi.stubGlobal("navigator", { ...navigator, share });
  renderRail();
  fireEvent.click(screen.getByRole("button", { name: "Share" }));
  expect(share).toHaveBeenCalledWith({
    title: "Ants",
    url: new URL("/feed/a", window.location.origin).href,
  });
});

test("copies the link and shows a message if there is no share sheet", async () => {
  const writeText = vi.fn(() => Promise.resolve());
  vi.stubGlobal("navigator", { clipboard: { writeText } });
  const alert = vi.fn();
  vi.stubGlobal("alert", alert);
  renderRail();
  fireEvent.click(screen.getByRole("button", { name: "Share" }));
  await act(async () => {});
  expect(writeText).toHaveBeenCalledWith(new URL("/feed/a", window.location.origin).href);
  expect(alert).toHaveBeenCalledWith("Link copied to clipboard!");
});

test("mutes and unmutes the feed with the sound button", () => {
  renderRail();
  fireEvent.click(screen.getByRole("button", { name: "Unmute" }));
  fireEvent.click(screen.getByRole("button", { name: "Mute" }));
  expect(screen.getByRole("button", { name: "Unmute" }).getAttribute("aria-keyshortcuts")).toBe(
    "M",
  );
});

test("closes the menu with an error toast if its code can't be loaded", async () => {
  renderRail();
  const button = screen.getByRole("button", { name: "More about this video" });
  fireEvent.click(button);
  expect(button.getAttribute("aria-expanded")).toBe("true");
  await act(() => vi.dynamicImportSettled());
  expect(button.getAttribute("aria-expanded")).toBe("false");
  expect(error).toHaveBeenCalledWith("Couldn't load this. Reload the page.");
});

test("restores the last visit's sound with one press of the sound button", async () => {
  const store = emptyPreferences();
  store.write({ isFeedMuted: false });
  const sound = createFeedSound();
  sound.start(store);
  renderRail({}, sound);
  const button = screen.getByRole("button", { name: "Unmute" });
  for (const gesture of ["pointerup", "keyup"]) {
    await act(async () => button.dispatchEvent(new Event(gesture, { bubbles: true })));
  }
  fireEvent.click(button);
  expect(screen.queryByRole("button", { name: "Mute" })).not.toBeNull();
  expect(store.read().isFeedMuted).toBe(false);
});
