// @vitest-environment happy-dom
import { act, fireEvent, render, screen, waitFor, within } from "@testing-library/react";
import { createMemoryRouter, RouterProvider } from "react-router";
import { expect, onTestFinished, test, vi } from "vitest";
import { failure, stubFetch } from "#test/harness/stub-fetch.ts";
import { press } from "#test/harness/press.ts";
import { passUntilCookie } from "#contract/visitors/pass-cookies.ts";
import { writeQueue } from "#web/lib/play-queue.ts";
import { startSession } from "#web/lib/session.ts";
import { nextPart } from "#web/components/video/series-parts-loaded.tsx";
import { Player } from "#web/features/player/components/player.tsx";
import { resumePoints } from "#web/features/player/core/resume-points.ts";
import { openPublicPage } from "#web/app/public-page.fixture.tsx";
import { adminVideo } from "#web/features/admin/videos/video.fixture.ts";
// The page loads these after it is shown, which would be after the last test.
import "#ads/web/video/prepare-ad-break.ts";
import "#web/components/share/share-sheet.tsx";
import "#web/features/members/locked-video.tsx";
import "#web/features/members/member-link.tsx";
import "#web/features/members/watch-pass.ts";
import "#web/features/player/core/ads/ad-director.ts";
import "#web/features/player/components/player-screen.tsx";

const video = adminVideo({ likes: 30 });
const label = {
  id: video.id,
  name: "Tidal",
  description: null,
  imageUrl: null,
  coverUrl: null,
  videoCount: 2,
  isSeries: true,
  isPodcast: false,
  createdAt: video.createdAt,
};
const status = (liked: boolean, likesCount: number) => ({ liked, likesCount });

/** Opens the page of one of two videos, whose page has a link to the other. */
const openVideo = (replies: Record<string, unknown>) =>
  openPublicPage("/video/tides", {
    "GET /api/videos/tides": video,
    "GET /api/videos/waves": adminVideo({ slug: "waves", title: "Waves", likes: 7 }),
    "GET /api/videos/tides/related": [],
    "GET /api/videos/waves/related": [],
    "GET /api/videos/tides/like": status(false, 30),
    "GET /api/videos/waves/like": status(false, 7),
    "GET /api/videos/tides/favorite": { isFavorite: false },
    "GET /api/videos/waves/favorite": { isFavorite: false },
    "GET /api/spots/public": { ads: [], serve: "" },
    [`GET /api/videos/${video.id}/midroll`]: { config: { times: [] } },
    [`POST /api/videos/${video.id}/watch`]: { counted: false },
    ...replies,
  });

test("reports a failed load, and tries again", async () => {
  const { server } = await openVideo({ "GET /api/videos/tides": failure(500, "no") });
  await screen.findByRole("heading", { name: "Failed to load video" });
  server.reply("GET /api/videos/tides", failure(404, "no", "not_found"));
  press("Try Again");
  await screen.findByRole("heading", { name: "Video not found" });
});

test("continues with a related video that wasn't opened yet, or longest ago", async () => {
  const other = (slug: string) => adminVideo({ slug, title: slug });
  const { router } = await openVideo({
    "GET /api/videos/tides/related": [other("waves"), other("calm")],
    "GET /api/videos/waves/related": [other("tides"), other("calm")],
    "GET /api/videos/calm": other("calm"),
    "GET /api/videos/calm/related": [other("waves"), other("tides")],
    "GET /api/videos/calm/like": status(false, 0),
    "GET /api/videos/calm/favorite": { isFavorite: false },
  });
  const endsBefore = async (href: string) => {
    await screen.findByRole("button", { name: "Full screen" });
    fireEvent.ended(document.querySelector("video") ?? document);
    const upNext = within(await screen.findByRole("region", { name: "Up next" }));
    expect(upNext.getByRole("link").getAttribute("href")).toBe(href);
    await act(() => router.navigate(href));
  };
  await endsBefore("/video/waves");
  await endsBefore("/video/calm");
  await endsBefore("/video/tides");
});

test("plays the next video in the same element, which may already play sound", async () => {
  const id = "33333333-3333-4333-8333-333333333333";
  const waves = { id, slug: "waves", title: "Waves", videoUrl: "/waves.mp4" };
  const { router } = await openVideo({
    "GET /api/videos/tides": { ...video, videoUrl: "/tides.mp4", posterUrl: "/tides.webp" },
    "GET /api/videos/waves": adminVideo(waves),
    [`GET /api/videos/${id}/midroll`]: { config: { times: [] } },
    [`POST /api/videos/${id}/watch`]: { counted: false },
  });
  await screen.findByRole("button", { name: "Full screen" });
  const media = document.querySelector("video");
  await act(() => router.navigate("/video/waves"));
  await screen.findByRole("button", { name: "Full screen" });
  expect(document.querySelector("video")).toBe(media);
  expect(media?.getAttribute("aria-label")).toBe("Waves");
  expect(media?.hasAttribute("poster")).toBe(false);
  expect(media?.getAttribute("src") ?? media?.querySelector("source")?.src).toContain("/waves.mp4");
});

test("unloads the last video, even if its player was never created", async () => {
  const element = (changes: object) => (
    <Player video={{ ...video, ...changes }} ads={null} autoPlay={false} />
  );
  const { rerender } = render(element({ videoUrl: "/tides.mp4", posterUrl: "/tides.webp" }), {
    wrapper: ({ children }) => (
      <RouterProvider router={createMemoryRouter([{ path: "*", element: children }])} />
    ),
  });
  const media = document.querySelector("video");
  if (media === null) throw new Error("no video");
  const load = vi.spyOn(media, "load");
  rerender(element({ id: "33333333-3333-4333-8333-333333333333", hlsUrl: "/waves.m3u8" }));
  expect(media.querySelector("source")).toBeNull();
  expect([media.hasAttribute("src"), media.hasAttribute("poster")]).toEqual([false, false]);
  expect(load).toHaveBeenCalledOnce();
});

test("continues when the page is rendered again after the ladder has replaced the element", async () => {
  const { router } = await openVideo({
    "GET /api/videos/tides": { ...video, videoUrl: "/tides.mp4" },
  });
  await screen.findByRole("button", { name: "Full screen" });
  const media = document.querySelector("video");
  media?.replaceWith(document.createElement("video"));
  await act(() => router.navigate("/video/tides#comments"));
  expect(media?.querySelector("source")).not.toBeNull();
});

test("starts at a link's position, and continues at the saved one after Back", async () => {
  const id = "33333333-3333-4333-8333-333333333333";
  const { router } = await openVideo({
    "GET /api/videos/tides": { ...video, videoUrl: "/tides.mp4", duration: 600 },
    "GET /api/videos/waves": adminVideo({ id, slug: "waves", title: "Waves" }),
    [`GET /api/videos/${id}/midroll`]: { config: { times: [] } },
    [`POST /api/videos/${id}/watch`]: { counted: false },
  });
  const startAfter = async (navigate: () => Promise<void>) => {
    await act(navigate);
    await screen.findByRole("button", { name: "Full screen" });
    return document.querySelector("video")?.currentTime;
  };
  await startAfter(() => router.navigate("/video/waves"));
  resumePoints.save(video.id, 300, 600);
  onTestFinished(() => resumePoints.remove(video.id));
  expect(await startAfter(() => router.navigate("/video/tides?t=90"))).toBe(90);
  await startAfter(() => router.navigate("/video/waves"));
  resumePoints.save(video.id, 310, 600);
  expect(await startAfter(() => router.navigate(-1))).toBe(310);
});

test("moves the keyboard focus to the controls when the button that has it disappears", async () => {
  const next = adminVideo({ slug: "waves", title: "Waves" });
  await openVideo({ "GET /api/videos/tides/related": [next] });
  await screen.findByRole("button", { name: "Full screen" });
  fireEvent.ended(document.querySelector("video") ?? document);
  const cancel = await screen.findByRole("button", { name: "Cancel" });
  act(() => cancel.focus());
  fireEvent.click(cancel);
  expect(cancel.isConnected).toBe(false);
  const control = document.querySelector(".player-bar button");
  await waitFor(() => expect(document.activeElement).toBe(control));
});

test("moves the keyboard focus from the first Play to the controls that replace it", async () => {
  const watch = `POST /api/videos/${video.id}/watch`;
  stubFetch({ [watch]: { counted: false } });
  const element = <Player video={video} ads={null} autoPlay={false} />;
  render(<RouterProvider router={createMemoryRouter([{ path: "*", element }])} />);
  act(() => screen.getByRole("button", { name: "Play" }).focus());
  await screen.findByRole("button", { name: "Full screen" });
  const control = document.querySelector(".player-bar button");
  await waitFor(() => expect(document.activeElement).toBe(control));
});

const startList = (...slugs: string[]) =>
  writeQueue({
    name: "Trending",
    href: "/trending",
    videos: slugs.map((slug) => ({ slug, title: slug, thumbnail: null })),
  });

test.each([
  ["was deleted", failure(404, "no", "not_found")],
  ["is blocked in this country", failure(451, "no", "blocked_country")],
])("continues a playlist after a video that %s", async (_reason, response) => {
  startList("gone", "waves");
  await openPublicPage("/video/gone?list=queue", {
    "GET /api/videos/gone": response,
    "GET /api/videos/gone/related": response,
  });
  screen.getByRole("heading", { name: "Video not found" });
  const next = await screen.findByRole("link", { name: "Next in the playlist: waves" });
  expect(next.getAttribute("href")).toBe("/video/waves?list=queue");
  const upNext = within(await screen.findByRole("region", { name: "Up next" }));
  expect(upNext.getByRole("link").getAttribute("href")).toBe("/video/waves?list=queue");
});

test("links to the series of a part that was deleted", async () => {
  const missing = failure(404, "no", "not_found");
  const { router } = await openPublicPage("/video/gone?in=tags.tidal", {
    "GET /api/videos/gone": missing,
    "GET /api/videos/gone/related": missing,
  });
  const series = await screen.findByRole("link", { name: "Open the series" });
  expect(series.getAttribute("href")).toBe("/tags/tidal");
  await act(() => router.navigate("/video/gone?in=people.tidal"));
  screen.getByRole("heading", { name: "Video not found" });
  expect(screen.queryByRole("link", { name: "Open the series" })).toBeNull();
});

test("continues a playlist after a video whose address has changed", async () => {
  startList("waves", "old", "calm", "tides");
  const { router } = await openVideo({
    "GET /api/videos/old": video,
    "GET /api/videos/old/related": [],
  });
  await act(() => router.navigate("/video/old?list=queue"));
  expect(window.location.pathname + window.location.search).toBe("/video/tides?list=queue");
  await screen.findByRole("link", { name: "Previous in the playlist: waves" });
  screen.getByRole("link", { name: "Next in the playlist: calm" });
  screen.getByText("2 of 3");
});

test("likes at once, and then shows the server's count", async () => {
  const response = Promise.withResolvers<object>();
  await openVideo({ "POST /api/videos/tides/like": response.promise });
  press(/^Like\s*30$/);
  const busy = await screen.findByRole("button", { name: /^Liking\.\.\.\s*31$/ });
  expect(busy.getAttribute("aria-disabled")).toBe("true");
  await act(async () => response.resolve(status(true, 35)));
  await screen.findByRole("button", { name: /^Liked\s*35$/ });
});

test("shows the next video's likes despite a late response to a like", async () => {
  const response = Promise.withResolvers<object>();
  const { router } = await openVideo({ "POST /api/videos/tides/like": response.promise });
  press(/^Like\s*30$/);
  await act(() => router.navigate("/video/waves"));
  await screen.findByRole("button", { name: /^Like\s*7$/ });
  await act(async () => response.resolve(status(true, 31)));
  screen.getByRole("button", { name: /^Like\s*7$/ });
});

test("reverts a failed like with a message", async () => {
  vi.spyOn(console, "warn").mockReturnValue();
  await openVideo({ "POST /api/videos/tides/like": failure(500, "no") });
  press(/^Like\s*30$/);
  await screen.findByText("Failed to update like. Please try again.");
  screen.getByRole("button", { name: /^Like\s*30$/ });
});

test("shows Like, Share and Save beside one menu, and people below the title", async () => {
  await openVideo({
    "GET /api/videos/tides": adminVideo({
      actors: [{ actor: { id: label.id, name: "Ada Loom", slug: "ada-loom" } }],
    }),
  });
  const actions = within(screen.getByRole("group", { name: "Actions" }));
  expect(actions.getAllByRole("button").map(({ textContent }) => textContent)).toEqual([
    expect.stringMatching(/^Like/),
    "Share",
    "Save",
    "⋮",
  ]);
  actions.getByRole("button", { name: "More about this video" });
  const title = screen.getByRole("heading", { level: 1 });
  const actor = screen.getByRole("link", { name: "Ada Loom" });
  const description = screen.queryByRole("region", { name: "Description" });
  const isBefore = (one: Node, other: Node) =>
    (one.compareDocumentPosition(other) & Node.DOCUMENT_POSITION_FOLLOWING) !== 0;
  expect(isBefore(title, actor)).toBe(true);
  if (description !== null) expect(isBefore(actor, description)).toBe(true);
});

test("copies the link if the device can't share", async () => {
  const writeText = vi.fn(async () => undefined);
  vi.stubGlobal("navigator", { ...navigator, share: undefined, clipboard: { writeText } });
  await openVideo({});
  press("Share");
  await screen.findByText("Video link copied to clipboard!");
  expect(writeText).toHaveBeenCalledWith(`${window.location.origin}/video/tides`);
});

test("keeps the text and links of a long description outside its button", async () => {
  const line = "Every tide has its own sound. ";
  const description = `${line.repeat(20)}See https://example.org/tides`;
  await openVideo({ "GET /api/videos/tides": adminVideo({ description }) });
  const section = screen.getByRole("region", { name: "Description" });
  const summary = section.querySelector("summary");
  expect(summary?.textContent).toBe("Show moreShow less");
  expect(section.querySelector("p")?.textContent).toContain("https://example.org/tides");
  expect(section.querySelector("summary a")).toBeNull();
});

test("shows the part of the series in the address, with links to its neighbors", async () => {
  const part = (slug: string) => ({ slug, title: `Part ${slug}`, thumbnail: null });
  const place = { kind: "tags", part: 1, total: 2, previous: null, next: part("waves") } as const;
  const series = [
    { ...place, slug: "first", name: "First" },
    { ...place, slug: "ä-b", name: "Tidal", part: 3, total: 8, previous: part("calm") },
  ];
  const { router } = await openVideo({
    "GET /api/videos/tides": { ...video, series },
    "GET /api/tags/gone": failure(404, "no", "not_found"),
    "GET /api/tags/old": { ...label, slug: "ä-b" },
  });
  const nav = (name: string) => screen.findByRole("navigation", { name });
  expect((await nav("First")).textContent).toContain("Part 1 of 2 of First");
  const open = (key: string) => act(() => router.navigate(`/video/tides?in=${key}&t=5`));
  await open("tags.%C3%A4-b");
  expect((await nav("Tidal")).textContent).toContain("Part 3 of 8 of Tidal");
  const hrefOf = (name: string) => screen.getByRole("link", { name }).getAttribute("href");
  expect(hrefOf("Tidal")).toBe("/tags/%C3%A4-b");
  expect(hrefOf("Previous part: Part calm")).toBe("/video/calm?in=tags.%C3%A4-b");
  expect(hrefOf("Next part: Part waves")).toBe("/video/waves?in=tags.%C3%A4-b");
  const next = { title: "Part waves", href: "/video/waves?in=tags.%C3%A4-b" };
  expect(nextPart({ ...video, series }, window.location.search)).toMatchObject(next);
  await open("tags.gone");
  expect(window.location.search).toBe("?t=5");
  await nav("First");
  await open("tags.old");
  await nav("Tidal");
});

test("plays a video for members, shows the end of the pass, and stops within a minute after it", async () => {
  const until = Date.now() + 30 * 86_400_000;
  document.cookie = `${passUntilCookie}=${until}`;
  const locked = adminVideo({ isLocked: true, isPremium: true, videoUrl: null, hlsUrl: null });
  const opened = `GET /api/members/videos/${video.id}`;
  const { server } = await openVideo({
    "GET /api/videos/tides": locked,
    [opened]: adminVideo({ isPremium: true }),
  });
  await act(async () => startSession());
  await waitFor(() => expect(document.querySelector(".player:not(.locked)")).not.toBeNull());
  // In the menus of the wide and of the small bar.
  await screen.findAllByRole("link", { name: /^Member until / });
  expect(screen.queryByText("Only members can watch this video.")).toBeNull();

  server.reply(opened, () => {
    // The server removes the cookies of a revoked pass.
    document.cookie = `${passUntilCookie}=; Max-Age=0`;
    return failure(403, "Only members can play this video.", "members_only");
  });
  await act(() => vi.advanceTimersByTimeAsync(60_000));
  await screen.findByText("Only members can watch this video.");
  expect(document.querySelector(".player:not(.locked)")).toBeNull();
  expect(screen.queryByRole("link", { name: /^Member until / })).toBeNull();
});

test("asks again after the pass has ended, and plays once it was extended", async () => {
  document.cookie = `${passUntilCookie}=${Date.now() - 1000}`;
  const opened = `GET /api/members/videos/${video.id}`;
  const { server } = await openVideo({
    "GET /api/videos/tides": adminVideo({
      isLocked: true,
      isPremium: true,
      videoUrl: null,
      hlsUrl: null,
    }),
    [opened]: failure(403, "Only members can play this video.", "members_only"),
  });
  await act(async () => startSession());
  await screen.findByText("Only members can watch this video.");
  await act(() => vi.advanceTimersByTimeAsync(1000));
  expect(screen.queryByRole("link", { name: /^Member until / })).toBeNull();

  server.reply(opened, () => {
    document.cookie = `${passUntilCookie}=${Date.now() + 86_400_000}`;
    return adminVideo({ isPremium: true });
  });
  await act(() => vi.advanceTimersByTimeAsync(60_000));
  await waitFor(() => expect(document.querySelector(".player:not(.locked)")).not.toBeNull());
  await screen.findAllByRole("link", { name: /^Member until / });
  document.cookie = `${passUntilCookie}=; Max-Age=0`;
});

test("says so if the browser refuses full screen, as iPhones do until the video has loaded", async () => {
  const warn = vi.spyOn(console, "warn").mockImplementation(() => {});
  const refusal = new DOMException("not loaded", "InvalidStateError");
  const videos = HTMLVideoElement.prototype as { webkitEnterFullscreen?: () => void };
  videos.webkitEnterFullscreen = () => {
    throw refusal;
  };
  onTestFinished(() => void delete videos.webkitEnterFullscreen);
  await openVideo({});
  fireEvent.click(await screen.findByRole("button", { name: "Full screen" }));
  await screen.findByText("Your browser doesn't allow full screen here.");
  expect(warn).toHaveBeenCalledWith("full screen refused", refusal);
});
