// @vitest-environment happy-dom
import { act } from "react";
import { afterEach, expect, test, vi } from "vitest";
import { waitTurns } from "#test/harness/turns.ts";
import { click, render } from "#web/lib/render.fixture.ts";
import { reportAdEvent } from "./api/report-ad-event.ts";
import { publicAd } from "./core/public-ad.fixture.ts";
import { playFeedAd } from "./video/play-feed-ad.ts";
import { FeedAd } from "./feed-ad.tsx";

vi.mock("./api/report-ad-event.ts", () => ({ reportAdEvent: vi.fn() }));
vi.mock("./video/play-feed-ad.ts", () => ({ playFeedAd: vi.fn(() => new Promise(() => {})) }));
afterEach(() => vi.unstubAllGlobals());

test.each([true, false])(
  "waits for a press to play a video ad if motion is reduced (%s)",
  async (isReduced) => {
    vi.mocked(playFeedAd).mockClear();
    vi.stubGlobal("matchMedia", () => ({ matches: isReduced }));
    const ad = publicAd({ type: "video", placement: "feed", title: "Moving" });
    const { find, get } = await render(
      <FeedAd ad={ad} serve="s" active onStop={() => {}} onDone={() => {}} />,
    );
    await act(() => waitTurns());
    expect(vi.mocked(playFeedAd).mock.calls).toHaveLength(isReduced ? 0 : 1);
    if (!isReduced) return expect(find("button", "Play")).toBeNull();
    expect(get("heading").textContent).toBe("Moving");
    await click(get("button", "Play"));
    await act(() => waitTurns());
    expect(playFeedAd).toHaveBeenCalledTimes(1);
  },
);

test("counts a middle click on the link", async () => {
  const ad = publicAd({ placement: "feed", linkUrl: "https://shop.test/" });
  const { get } = await render(
    <FeedAd ad={ad} serve="s" active={false} onStop={() => {}} onDone={() => {}} />,
  );
  get("link").dispatchEvent(new MouseEvent("auxclick", { button: 1, bubbles: true }));
  expect(vi.mocked(reportAdEvent).mock.calls.map(([, event]) => event)).toEqual(["click"]);
});
