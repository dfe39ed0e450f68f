// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from "vitest";
import type { FeedList } from "#contract/lists/feed.ts";
import { act, fireEvent, render, screen, waitFor } from "@testing-library/react";
import { feedAd, feedVideo } from "../core/feed-items.fixture.ts";
import type { FeedHead } from "../core/feed-store.ts";
import { passUntilCookie } from "#contract/visitors/pass-cookies.ts";
import { adminVideo } from "#web/features/admin/videos/video.fixture.ts";
import { Feed } from "./feed.tsx";
import { NextPanel } from "./next-panel.tsx";
// The feed loads it with its first clip for members.
import "#web/features/members/member-clip.tsx";

const fetchFeed = vi.hoisted(() => vi.fn<() => Promise<FeedList>>());
vi.mock("../calls.ts", () => ({ fetchFeed }));
const settings = vi.hoisted(() => ({ sourceUrl: null, logoUrl: null as string | null }));
vi.mock("#web/lib/page/site.ts", () => ({
  useSite: () => ({ name: "Kinora", adSlots: [], settings }),
}));

const clips = (...ids: string[]) => ids.map((id) => feedVideo(id, { videoUrl: `/${id}.mp4` }));
const lastPage: FeedList = { videos: [], nextCursor: null, shown: [] };

async function renderFeed(head: Partial<FeedHead>) {
  const whole = { videos: [], nextCursor: null, hasFailed: false, ...head };
  await act(async () => void render(<Feed head={whole} snapshot={null} historyKey="k" />));
  const items = () => [...document.querySelectorAll<HTMLElement>(".feed-item:not([hidden])")];
  return {
    items,
    numbers: () =>
      items()
        .map((item) => Number(item.getAttribute("aria-posinset")))
        .sort(),
    active: () => items().find((item) => item.hasAttribute("data-active")),
  };
}

// Each event may load more, so these wait for everything that follows from it.
const click = (element: HTMLElement) => act(async () => void fireEvent.click(element));
const pressKey = (target: HTMLElement, key: string) =>
  act(async () => void fireEvent.keyDown(target, { key }));

beforeEach(() => {
  // happy-dom has no media engine.
  for (const name of ["load", "play", "pause"] as const) {
    Object.defineProperty(HTMLMediaElement.prototype, name, {
      value: name === "play" ? () => Promise.resolve() : () => {},
      configurable: true,
    });
  }
  Object.assign(HTMLMediaElement.prototype, { canPlayType: () => "" });
  Element.prototype.scrollTo = () => {};
  vi.stubGlobal(
    "fetch",
    vi.fn(() => Promise.resolve(new Response("{}"))),
  );
  fetchFeed.mockReset().mockResolvedValue(lastPage);
  window.history.replaceState(null, "", "/");
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

test("renders the current item and one neighbor on each side", async () => {
  const { numbers } = await renderFeed({ videos: clips(..."abcdef") });
  expect(numbers()).toEqual([1, 2]);
  for (const number of [2, 3, 4]) {
    await pressKey(document.body, "ArrowDown");
    expect(numbers()).toEqual([number - 1, number, number + 1]);
    expect(document.querySelectorAll("video")).toHaveLength(3);
  }
  await pressKey(document.body, "ArrowUp");
  expect(numbers()).toEqual([2, 3, 4]);
});

test("shows the site's own logo beside its name", async () => {
  settings.logoUrl = "/logo.png";
  onTestFinished(() => void (settings.logoUrl = null));
  await renderFeed({ videos: clips("a") });
  const label = document.querySelector(".feed-label");
  expect(label?.querySelector("img")?.getAttribute("src")).toBe("/logo.png");
  expect(label?.querySelector("svg")).toBeNull();
});

test("moves the focus with the item, and leaves no tab stop in its neighbors", async () => {
  const label = { id: "1", name: "Ants", slug: "ants" };
  const videos = clips("a", "b", "c").map((clip) => ({
    ...clip,
    actors: [{ actor: label }],
    tags: [{ tag: label }],
    clipOf: { id: "2", slug: "whole", title: "Whole", startS: 5, endS: 9 },
  }));
  const { items, active } = await renderFeed({ videos });
  await act(() => vi.dynamicImportSettled());
  await act(async () => active()?.querySelector<HTMLElement>(".feed-touch")?.focus());
  await pressKey(document.body, "ArrowDown");
  expect(document.activeElement?.getAttribute("data-slug")).toBe("b");
  expect(items().map(({ tabIndex }) => tabIndex)).toContain(-1);
  for (const item of items()) {
    const links = [...item.querySelectorAll("a")];
    expect(links.length).toBeGreaterThan(3);
    expect(links.every(({ tabIndex }) => tabIndex === (item === active() ? 0 : -1))).toBe(true);
  }
});

test("moves one item with keys and buttons and stops at the ends", async () => {
  const { active } = await renderFeed({ videos: clips("a", "b") });
  fetchFeed.mockResolvedValue(lastPage);
  const previous = screen.getByRole("button", { name: "Previous video" });
  const next = screen.getByRole("button", { name: "Next video" });
  expect([previous, next].map((button) => button.hasAttribute("disabled"))).toEqual([true, false]);
  await click(next);
  expect(active()?.dataset.slug).toBe("b");
  expect([previous, next].map((button) => button.hasAttribute("disabled"))).toEqual([false, true]);
  await click(previous);
  expect(active()?.dataset.slug).toBe("a");
});

test("doesn't start the clip that was tapped just before a move", async () => {
  const { active } = await renderFeed({ videos: clips("a", "b") });
  await waitFor(() => expect(active()?.querySelector(".feed-touch")).not.toBeNull());
  const left = active();
  const play = vi.fn(async () => {});
  Object.assign(left?.querySelector("video") ?? {}, { play });
  await act(
    async () => void fireEvent.click(left?.querySelector(".feed-touch") ?? document, { detail: 1 }),
  );
  await pressKey(document.body, "ArrowDown");
  await act(() => new Promise((resolve) => setTimeout(resolve, 300)));
  expect(play).not.toHaveBeenCalled();
});

test("unmutes every element for a moment when the visitor turns the sound on", async () => {
  const { active } = await renderFeed({ videos: clips("a", "b", "c") });
  await pressKey(document.body, "ArrowDown");
  const media = [...document.querySelectorAll("video")];
  const written = media.map((element) => {
    const values: boolean[] = [];
    let isMuted = element.muted;
    Object.defineProperty(element, "muted", {
      get: () => isMuted,
      set(value: boolean) {
        isMuted = value;
        values.push(value);
      },
    });
    return values;
  });
  await pressKey(document.body, "m");
  expect(written.map((values) => values.includes(false))).toEqual([true, true, true]);
  const audible = media.filter(({ muted }) => !muted);
  expect(audible).toEqual([active()?.querySelector("video")]);
});

test("announces the title and the position of each item", async () => {
  const { active } = await renderFeed({ videos: clips("Ants", "Bees", "Cats") });
  expect(screen.getByRole("feed").getAttribute("aria-label")).toBe("Videos for you");
  await pressKey(document.body, "ArrowDown");
  const item = active();
  expect(item?.tagName).toBe("ARTICLE");
  expect(item?.getAttribute("aria-posinset")).toBe("2");
  expect(item?.getAttribute("aria-setsize")).toBe("-1");
  const label = document.getElementById(item?.getAttribute("aria-labelledby") ?? "");
  expect(label?.textContent).toBe("Bees");
  const live = document.querySelector("[aria-live=polite][aria-atomic=true]");
  expect(live?.textContent).toBe("Bees. Item 2.");
});

test("changes the URL on a move without adding a history entry", async () => {
  await renderFeed({ videos: clips("a", "b", "c") });
  const before = window.history.length;
  await pressKey(document.body, "ArrowDown");
  expect(window.location.pathname).toBe("/feed/b");
  expect(document.title).toBe("b · Kinora");
  expect(window.history.length).toBe(before);
});

test("saves the feed when the page is hidden, because the browser may discard it", async () => {
  await renderFeed({ videos: clips("a", "b"), nextCursor: "k" });
  await pressKey(document.body, "ArrowDown");
  vi.spyOn(document, "visibilityState", "get").mockReturnValue("hidden");
  await act(async () => void document.dispatchEvent(new Event("visibilitychange")));
  expect(sessionStorage.getItem("kinora.feed")).toContain('"clip":{"id":"b"');
});

/** Simulates a screen that is wide enough for panels. */
const widen = () =>
  vi
    .spyOn(window, "matchMedia")
    .mockImplementation(
      (query) =>
        Object.assign(new EventTarget(), { matches: query.includes("72rem") }) as MediaQueryList,
    );
/** Waits for the panel of next items. Its code is loaded separately. */
async function waitForPanel(): Promise<void> {
  await waitFor(() => expect(document.querySelector(".feed-next")).not.toBeNull());
}

test("shows no panel of next items on a narrow screen", async () => {
  await renderFeed({ videos: clips(..."abcdef") });
  expect(document.querySelector(".feed-panel-next")).toBeNull();
});

test("lists the next three items in the panel and moves to one when it is pressed", async () => {
  widen();
  const { active } = await renderFeed({ videos: clips(..."abcdef") });
  await waitForPanel();
  const titles = [...document.querySelectorAll(".feed-next-title")];
  expect(titles.map((title) => title.textContent)).toEqual(["b", "c", "d"]);
  const third = document.querySelectorAll<HTMLElement>(".feed-next")[2];
  if (third !== undefined) await click(third);
  expect(active()?.dataset.slug).toBe("d");
});

test("shows the first character of an ad without a picture in the panel", () => {
  const ad = { ...feedAd("a"), title: "👩‍💻 Courses" };
  const next = [{ place: 1, entry: { kind: "ad" as const, key: "ad-1", ad, serve: "s" } }];
  render(<NextPanel next={next} onGo={() => undefined} />);
  expect(document.querySelector(".feed-next-mark")?.textContent).toBe("👩‍💻");
});

test("blurs the pictures of sensitive videos in the panel", async () => {
  // happy-dom loads no images, so they would count as broken.
  vi.spyOn(HTMLImageElement.prototype, "complete", "get").mockReturnValue(false);
  const [a, b, c] = ["a", "b", "c"].map((id) =>
    feedVideo(id, { thumbnailUrl: `/media/${id}.webp`, isSensitive: id === "b" }),
  );
  widen();
  await renderFeed({ videos: [a, b, c].filter((clip) => clip !== undefined) });
  await waitForPanel();
  const blurred = ["b", "c"].map((id) =>
    document
      .querySelector(`.feed-next img[src="/media/${id}.webp"]`)
      ?.classList.contains("blur-xl"),
  );
  expect(blurred).toEqual([true, false]);
});

test("shows a message if the site has no videos", async () => {
  await renderFeed({});
  expect(screen.getByRole("heading", { name: "No content available" }).textContent).not.toBe("");
  expect(document.querySelectorAll(".feed-item:not([hidden])")).toHaveLength(0);
});

test("reports a failure and reloads the feed when the button is pressed", async () => {
  vi.spyOn(console, "warn").mockImplementation(() => {});
  fetchFeed.mockRejectedValue(new Error("503"));
  const { active } = await renderFeed({ hasFailed: true });
  expect(screen.getByRole("heading", { name: "Failed to load content" }).textContent).not.toBe("");
  fetchFeed.mockResolvedValueOnce({ ...lastPage, videos: clips("a", "b") });
  await click(screen.getByRole("button", { name: "Try Again" }));
  expect(active()?.dataset.slug).toBe("a");
  expect(screen.queryByRole("heading", { name: "Failed to load content" })).toBeNull();
});

test("keeps the last clip after a failure and loads more when the button is pressed", async () => {
  vi.spyOn(console, "warn").mockImplementation(() => {});
  fetchFeed.mockRejectedValue(new Error("503"));
  const { active } = await renderFeed({ videos: clips("a", "b"), nextCursor: "k" });
  expect(screen.queryByRole("alert")).toBeNull();
  await pressKey(document.body, "ArrowDown");
  expect(active()?.dataset.slug).toBe("b");
  expect(screen.getByRole("alert").textContent).toContain("Failed to load content");
  fetchFeed.mockResolvedValueOnce({ ...lastPage, videos: clips("c", "d") });
  await click(screen.getByRole("button", { name: "Try Again" }));
  expect(screen.queryByRole("alert")).toBeNull();
  await pressKey(document.body, "ArrowDown");
  expect(active()?.dataset.slug).toBe("c");
});

test("ignores keys while the visitor types", async () => {
  const { active } = await renderFeed({ videos: clips("a", "b") });
  const field = document.body.appendChild(document.createElement("input"));
  for (const key of ["ArrowDown", " ", "m", "l"]) fireEvent.keyDown(field, { key });
  expect(active()?.dataset.slug).toBe("a");
  await act(async () => field.remove());
});

test("opens a locked clip for a member without leaving the feed, and locks it after the pass", async () => {
  document.cookie = `${passUntilCookie}=${Date.now() + 86_400_000}`;
  const { id } = adminVideo({});
  const refusal = () => Response.json({ message: "", code: "members_only" }, { status: 403 });
  let reply: () => Response = () =>
    Response.json(adminVideo({ slug: "a", isPremium: true, videoUrl: "/media/v/x/play.mp4" }));
  vi.stubGlobal("fetch", async (target: string) =>
    target.startsWith("/api/members/") ? reply() : new Response("{}"),
  );
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  try {
    const clip = feedVideo("a", { id, isPremium: true, isLocked: true, videoUrl: null });
    const { active } = await renderFeed({ videos: [clip] });
    const touch = () => active()?.querySelector(".feed-touch") ?? null;
    await waitFor(() => expect(touch()).not.toBeNull());
    expect(screen.queryByText("I have a pass")).toBeNull();
    expect(window.location.pathname).toBe("/feed/a");
    reply = refusal;
    await act(() => vi.advanceTimersByTimeAsync(60_000));
    await screen.findByText("I have a pass");
    expect(touch()).toBeNull();
  } finally {
    document.cookie = `${passUntilCookie}=; Max-Age=0`;
    vi.useRealTimers();
  }
});

test("shows a locked clip to visitors without a pass, and asks nothing", async () => {
  const fetched = vi.fn<() => Promise<Response>>(async () => new Response("{}"));
  vi.stubGlobal("fetch", fetched);
  await renderFeed({
    videos: [feedVideo("a", { isPremium: true, isLocked: true, videoUrl: null })],
  });
  await screen.findByText("I have a pass");
  expect(JSON.stringify(fetched.mock.calls)).not.toContain("/api/members/");
});
