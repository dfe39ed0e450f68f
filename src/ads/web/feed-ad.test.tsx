// @vitest-environment happy-dom
import { createRef } from "react";
import { afterEach, expect, test, vi } from "vitest";
import { waitTurns } from "#test/harness/turns.ts";
import { act, fireEvent, render, screen } from "@testing-library/react";
import { reportAdEvent } from "./api/report-ad-event.ts";
import { publicAd } from "./core/public-ad.fixture.ts";
import { playFeedAd } from "./video/play-feed-ad.ts";
import { FeedAd, type FeedAdHandle } from "./feed-ad.tsx";

vi.mock("./api/report-ad-event.ts", () => ({ reportAdEvent: vi.fn() }));
vi.mock("./video/play-feed-ad.ts", () => ({ playFeedAd: vi.fn(() => new Promise(() => {})) }));
afterEach(() => vi.unstubAllGlobals());

test.each([true, false])(
  "waits for a press to play a video ad if motion is reduced (%s)",
  async (isReduced) => {
    vi.mocked(playFeedAd).mockClear();
    vi.stubGlobal("matchMedia", () => ({ matches: isReduced }));
    const ad = publicAd({ type: "video", placement: "feed", title: "Moving" });
    render(<FeedAd ad={ad} serve="s" active onStop={() => {}} onDone={() => {}} />);
    await act(() => waitTurns());
    expect(vi.mocked(playFeedAd).mock.calls).toHaveLength(isReduced ? 0 : 1);
    if (!isReduced) return expect(screen.queryByRole("button", { name: "Play" })).toBeNull();
    expect(screen.getByRole("heading").textContent).toBe("Moving");
    fireEvent.click(screen.getByRole("button", { name: "Play" }));
    await act(() => waitTurns());
    expect(playFeedAd).toHaveBeenCalledTimes(1);
  },
);

test("follows the sound of the feed, and plays or pauses when asked", async () => {
  vi.mocked(playFeedAd).mockClear();
  const ad = publicAd({ type: "video", placement: "feed" });
  const handle = createRef<FeedAdHandle>();
  const feedAd = (isMuted: boolean) => (
    <FeedAd
      ref={handle}
      ad={ad}
      serve="s"
      active
      isMuted={isMuted}
      onStop={() => {}}
      onDone={() => {}}
    />
  );
  const { rerender } = render(feedAd(true));
  await act(() => waitTurns());
  const video = { setMuted: vi.fn(), togglePlay: vi.fn() };
  const [[options] = []] = vi.mocked(playFeedAd).mock.calls;
  options?.onVideo(video);
  rerender(feedAd(false));
  expect(options?.isMuted()).toBe(false);
  expect(video.setMuted.mock.calls).toEqual([[false]]);
  handle.current?.togglePlay();
  expect(video.togglePlay).toHaveBeenCalledTimes(1);
  expect(playFeedAd).toHaveBeenCalledTimes(1);
});

test("waits until the page is visible to play a video ad", async () => {
  vi.mocked(playFeedAd).mockClear();
  const visibility = vi.spyOn(document, "visibilityState", "get").mockReturnValue("hidden");
  const ad = publicAd({ type: "video", placement: "feed" });
  render(<FeedAd ad={ad} serve="s" active onStop={() => {}} onDone={() => {}} />);
  await act(() => waitTurns());
  expect(playFeedAd).not.toHaveBeenCalled();
  visibility.mockReturnValue("visible");
  document.dispatchEvent(new Event("visibilitychange"));
  await act(() => waitTurns());
  expect(playFeedAd).toHaveBeenCalledTimes(1);
});

test("starts a video ad that waits for a press when asked to play", async () => {
  vi.mocked(playFeedAd).mockClear();
  vi.stubGlobal("matchMedia", () => ({ matches: true }));
  const handle = createRef<FeedAdHandle>();
  const ad = publicAd({ type: "video", placement: "feed" });
  render(<FeedAd ref={handle} ad={ad} serve="s" active onStop={() => {}} onDone={() => {}} />);
  expect(playFeedAd).not.toHaveBeenCalled();
  await act(async () => handle.current?.togglePlay());
  await act(() => waitTurns());
  expect(playFeedAd).toHaveBeenCalledTimes(1);
});

test("can't be focused while it is off screen", () => {
  const ad = publicAd({ placement: "feed", linkUrl: "https://shop.test/" });
  const feedAd = (active: boolean) => (
    <FeedAd ad={ad} serve="s" active={active} onStop={() => {}} onDone={() => {}} />
  );
  const { rerender } = render(feedAd(false));
  const link = screen.getByRole("link");
  expect(link.closest("[inert]")).not.toBeNull();
  rerender(feedAd(true));
  expect(link.closest("[inert]")).toBeNull();
});

test("counts a middle click on the link", () => {
  const ad = publicAd({ placement: "feed", linkUrl: "https://shop.test/" });
  render(<FeedAd ad={ad} serve="s" active={false} onStop={() => {}} onDone={() => {}} />);
  screen.getByRole("link").dispatchEvent(new MouseEvent("auxclick", { button: 1, bubbles: true }));
  expect(vi.mocked(reportAdEvent).mock.calls.map(([, event]) => event)).toEqual(["click"]);
});
