// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { waitTurns } from "#test/harness/turns.ts";
import type { AdSlotInfo, PublicAd } from "../contract/ads.ts";
import { act, fireEvent, render, screen } from "@testing-library/react";
import { Link, MemoryRouter } from "react-router";
import { siteOf, useSite } from "#web/lib/page/site.ts";
import { fetchAds } from "./api/fetch-ads.ts";
import { reportAdEvent } from "./api/report-ad-event.ts";
import { closeSlot } from "./close-slot.ts";
import { closedMs, isSlotClosed } from "./closed-slots.ts";
import { besideNow } from "./core/page-ads.ts";
import { publicAd } from "./core/public-ad.fixture.ts";
import type { SlotPlacement } from "./core/slot-state.ts";
import { fakeViewport } from "./core/viewport.fixture.ts";
import { AdSlot } from "./ad-slot.tsx";
// Imported early, because the slot loads it lazily.
import "./components/slot-view.tsx";

vi.mock("./api/fetch-ads.ts", () => ({ fetchAds: vi.fn() }));
vi.mock("./api/report-ad-event.ts", () => ({ reportAdEvent: vi.fn() }));
vi.mock("#web/lib/page/site.ts", async (original) => ({
  ...(await original<object>()),
  useSite: vi.fn(),
}));

let viewport: ReturnType<typeof fakeViewport>;
beforeEach(() => {
  viewport = fakeViewport();
  localStorage.clear();
  vi.mocked(fetchAds).mockReset();
  vi.mocked(reportAdEvent).mockReset();
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const slot = (values: Partial<AdSlotInfo> = {}): AdSlotInfo => ({
  placement: "header",
  isInline: true,
  hasPopups: false,
  widthPx: null,
  heightPx: null,
  ...values,
});

function renderSlot(slots: AdSlotInfo[] | null, placement: SlotPlacement = "header") {
  vi.mocked(useSite).mockReturnValue(siteOf(null, "http://site.test", slots));
  return render(<AdSlot placement={placement} />, { wrapper: Pages });
}
function Pages({ children }: { children: React.ReactNode }) {
  return (
    <MemoryRouter>
      {children}
      <Link to="/next">Next page</Link>
    </MemoryRouter>
  );
}
const element = () => document.querySelector<HTMLElement>(".spot");
const state = () => element()?.dataset["state"];
const reported = () => vi.mocked(reportAdEvent).mock.calls.map(([, event]) => event);

function respondWith(ads: PublicAd[] | Error): void {
  if (ads instanceof Error) vi.mocked(fetchAds).mockRejectedValue(ads);
  else vi.mocked(fetchAds).mockResolvedValue({ ads, serve: "s" });
}

/** Scrolls the slot near the screen and responds to its request with these ads. */
async function bringNear(ads: PublicAd[] | Error): Promise<void> {
  respondWith(ads);
  const spot = element();
  if (spot === null) throw new Error("no slot");
  await act(async () => viewport.show(spot, 1));
  // The lazy component and the request take a few more turns of the event loop.
  await act(() => waitTurns());
}

test("omits a slot without ads, and takes no space until it is known whether there are any", () => {
  renderSlot([slot({ placement: "footer" })]);
  expect(element()).toBeNull();
  const unknown = renderSlot(null);
  expect(unknown.container.querySelector(".spot-space")).toBeNull();
});

test("reserves space in the declared size before it requests an ad", () => {
  renderSlot([slot({ widthPx: 728, heightPx: 90 })]);
  expect(element()?.querySelector(".spot-space")).not.toBeNull();
  expect(element()?.style.getPropertyValue("--spot-ratio")).toBe("728 / 90");
  expect([state(), element()?.getAttribute("aria-hidden")]).toEqual(["waiting", "true"]);
  expect(fetchAds).not.toHaveBeenCalled();
});

test("requests at most five ads near the screen, shows one that isn't a video and counts it once", async () => {
  renderSlot([slot()]);
  await bringNear([
    publicAd({ id: "video", type: "video", title: "Moving" }),
    publicAd({ title: "Words", linkUrl: "https://shop.test/" }),
  ]);
  expect(fetchAds).toHaveBeenCalledWith(expect.objectContaining({ placement: "header", limit: 5 }));
  expect(element()?.textContent).toContain("Words");
  expect(state()).toBe("shown");
  expect(reported()).toEqual(["impression"]);
  const link = element()?.querySelector("a");
  expect([link?.target, link?.rel]).toEqual(["_blank", "noopener noreferrer sponsored"]);
});

test("requests nothing after the header is closed", async () => {
  renderSlot([slot()]);
  await bringNear([publicAd()]);
  fireEvent.click(screen.getByRole("button", { name: "Close advertisement" }));
  expect(element()).toBeNull();
  renderSlot([slot()]);
  expect(element()).toBeNull();
  expect(fetchAds).toHaveBeenCalledTimes(1);
});

test("shows a close button only in the header", async () => {
  renderSlot([slot({ placement: "sidebar" })], "sidebar");
  await bringNear([publicAd()]);
  expect(screen.queryByRole("button", { name: "About this advertisement" })).not.toBeNull();
  expect(screen.queryByRole("button", { name: "Close advertisement" })).toBeNull();
});

test("shows a popup over the page, closes it on Escape and keeps it closed", async () => {
  renderSlot([slot({ isInline: false })]);
  await bringNear([publicAd({ type: "popup", title: "Over the page" })]);
  const popup = () => document.body.querySelector(":scope > .spot-popup");
  expect(popup()?.textContent).toContain("Over the page");
  expect(popup()?.querySelector("button")).not.toBeNull();
  expect(document.activeElement).toBe(document.body);
  fireEvent.keyDown(document, { key: "Escape" });
  expect(popup()).toBeNull();
  expect(isSlotClosed("header")).toBe(true);
});

test("shows a popup by itself once the page is calm, and all other ads near the screen", async () => {
  const renderCalm = async (info: AdSlotInfo) => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    const rendered = renderSlot([info]);
    act(() => void vi.advanceTimersByTime(1999));
    expect(element()?.childElementCount).toBe(info.isInline ? 2 : 0);
    act(() => void vi.advanceTimersByTime(1));
    vi.useRealTimers();
    await act(() => waitTurns());
    return rendered;
  };
  respondWith([publicAd({ type: "popup", title: "Over the page" })]);
  const { unmount } = await renderCalm(slot({ isInline: false, hasPopups: true }));
  expect(document.querySelector(".spot-popup")?.textContent).toContain("Over the page");
  expect(reported()).toEqual(["impression"]);
  unmount();

  respondWith([publicAd({ title: "In the page" })]);
  await renderCalm(slot({ hasPopups: true }));
  expect(fetchAds).toHaveBeenCalledTimes(2);
  expect(element()?.textContent).not.toContain("In the page");
  expect(reported()).toHaveLength(1);
  await bringNear([]);
  expect(element()?.textContent).toContain("In the page");
  expect([reported().length, vi.mocked(fetchAds).mock.calls.length]).toEqual([2, 2]);
});

test.each([
  ["no ad", []],
  ["a failed request", new Error("blocked")],
])("leaves, for %s, an empty space on screen and none below it", async (_name, result) => {
  vi.spyOn(console, "warn").mockImplementation(() => {});
  renderSlot([slot()]);
  await bringNear(result);
  expect(state()).toBe("empty");
  expect(element()?.querySelector(".spot-space")).not.toBeNull();

  document.body.replaceChildren();
  renderSlot([slot()]);
  const spot = element();
  if (spot !== null) spot.getBoundingClientRect = () => new DOMRect(0, 5000, 100, 90);
  await bringNear(result);
  expect(state()).toBe("gone");
});

test("hides a popup on pages without popups, and requests only other ads there", async () => {
  const { rerender } = renderSlot([slot()]);
  await bringNear([publicAd({ type: "popup", title: "Over the page" })]);
  expect(document.querySelector(".spot-popup")).not.toBeNull();
  rerender(<AdSlot placement="header" allowsPopups={false} />);
  expect(document.querySelector(".spot-popup")).toBeNull();
  expect(fetchAds).toHaveBeenCalledOnce();
  rerender(<AdSlot placement="header" key="next page" allowsPopups={false} />);
  await bringNear([]);
  expect(fetchAds).toHaveBeenLastCalledWith(expect.objectContaining({ allowsPopups: false }));
});

test.each([
  ["stored", false],
  ["not stored, because storage is full", true],
])("requests nothing for the next video after the header is closed (%s)", async (_name, isFull) => {
  const { rerender } = renderSlot([slot()]);
  await bringNear([publicAd({ title: "First" })]);
  if (isFull) {
    vi.spyOn(Storage.prototype, "setItem").mockImplementation(() => {
      throw new Error("full");
    });
  }
  fireEvent.click(screen.getByRole("button", { name: "Close advertisement" }));
  rerender(<AdSlot placement="header" tags={["next"]} />);
  await act(() => waitTurns());
  expect(fetchAds).toHaveBeenCalledOnce();
  expect(element()).toBeNull();
});

test("returns a closed slot with the first page after half an hour", async () => {
  vi.useFakeTimers({ toFake: ["Date"] });
  renderSlot([slot()]);
  await bringNear([publicAd({ title: "First" })]);
  fireEvent.click(screen.getByRole("button", { name: "Close advertisement" }));
  vi.advanceTimersByTime(closedMs);
  expect(element()).toBeNull();
  fireEvent.click(screen.getByText("Next page"));
  expect(state()).toBe("waiting");
  await bringNear([publicAd({ title: "Second" })]);
  expect([state(), element()?.textContent.includes("Second")]).toEqual(["shown", true]);
});

test("removes a slot closed in another tab until the first page after half an hour", () => {
  vi.useFakeTimers({ toFake: ["Date"] });
  closeSlot("header");
  // The first script sets this.
  document.documentElement.dataset["closed"] = "header";
  renderSlot([slot()]);
  expect([element(), document.documentElement.dataset["closed"]]).toEqual([null, undefined]);
  vi.advanceTimersByTime(closedMs);
  fireEvent.click(screen.getByText("Next page"));
  expect(state()).toBe("waiting");
});

test.each([
  ["an ad without an image", publicAd()],
  ["an image that fails to load", publicAd({ imageUrl: "/gone.png" })],
])("shows the next video's image after %s", async (_name, first) => {
  const { rerender } = renderSlot([slot()]);
  await bringNear([first]);
  const image = () => element()?.querySelector<HTMLImageElement>("img.spot-image");
  const failed = image();
  if (failed) fireEvent.error(failed);
  expect(image()).toBeNull();
  respondWith([publicAd({ id: "next", imageUrl: "/next.png" })]);
  rerender(<AdSlot placement="header" tags={["next"]} />);
  await act(() => waitTurns());
  expect(image()?.getAttribute("src")).toBe("/next.png");
});

test("requests the next video's ads without excluding competitors of the previous ads", async () => {
  const slots = [slot(), slot({ placement: "sidebar" })];
  vi.mocked(useSite).mockReturnValue(siteOf(null, "http://site.test", slots));
  const page = (tags: string[]) => (
    <>
      <AdSlot placement="header" tags={tags} />
      <AdSlot placement="sidebar" tags={tags} />
    </>
  );
  const asked = () => vi.mocked(fetchAds).mock.calls.map(([{ beside }]) => beside);
  const { rerender } = render(page(["first"]), { wrapper: Pages });
  await bringNear([publicAd({ id: "of-header" })]);
  respondWith([publicAd({ id: "of-sidebar" })]);
  const sidebar = document.querySelector(".spot[data-slot=sidebar]");
  if (sidebar !== null) await act(async () => viewport.show(sidebar, 1));
  await act(() => waitTurns());
  expect(asked()).toEqual([[], ["of-header"]]);
  respondWith([publicAd({ id: "next" })]);
  rerender(page(["next"]));
  await act(() => waitTurns());
  expect(asked().slice(2)).toEqual([[], ["next"]]);
});

test.each([
  ["has no ad", []],
  ["can't load one", new Error("blocked")],
])("removes the previous ad if the next video %s", async (_name, result) => {
  vi.spyOn(console, "warn").mockImplementation(() => {});
  const { rerender } = renderSlot([slot()]);
  await bringNear([publicAd({ title: "First" })]);
  respondWith(result);
  rerender(<AdSlot placement="header" tags={["next"]} />);
  await act(() => waitTurns());
  expect([state(), element()?.textContent.includes("First")]).toEqual(["empty", false]);
  expect(besideNow()).toEqual([]);
  // Back to the first video, which has an ad.
  respondWith([publicAd({ title: "First" })]);
  rerender(<AdSlot placement="header" />);
  await act(() => waitTurns());
  expect([state(), element()?.textContent.includes("First")]).toEqual(["shown", true]);
});
