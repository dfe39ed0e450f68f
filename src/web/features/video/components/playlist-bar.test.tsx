// @vitest-environment happy-dom
import { act, render, screen } from "@testing-library/react";
import { afterEach, expect, it, vi } from "vitest";
import { writeQueue } from "#web/lib/play-queue.ts";
import { library } from "#web/lib/visitor-library/library.ts";
import { PlaylistBar } from "./playlist-bar.tsx";

afterEach(() => sessionStorage.clear());

const videos = ["a", "b", "c"].map((slug) => ({
  slug,
  title: slug.toUpperCase(),
  thumbnail: null,
  durationS: 60,
}));

it("steps through the queue of the tab and links to its page", () => {
  writeQueue({ name: "Trending", href: "/trending?timeRange=today", videos });
  const onNext = vi.fn();
  const { rerender } = render(<PlaylistBar listId="queue" slug="b" onNext={onNext} />);
  screen.getByText("2 of 3");
  const hrefOf = (name: string) => screen.getByRole("link", { name }).getAttribute("href");
  expect(hrefOf("Trending")).toBe("/trending?timeRange=today");
  expect(hrefOf("Previous in the playlist: A")).toBe("/video/a?list=queue");
  expect(hrefOf("Next in the playlist: C")).toBe("/video/c?list=queue");
  const next = { title: "C", href: "/video/c?list=queue" };
  expect(onNext).toHaveBeenLastCalledWith(expect.objectContaining(next));
  rerender(<PlaylistBar listId="queue" slug="c" onNext={onNext} />);
  expect(onNext).toHaveBeenLastCalledWith(null);
});

it("reports the next video again after the playlist has changed", () => {
  const id = library.createPlaylist("Evening")?.id ?? "";
  const [a, b] = videos;
  if (a === undefined || b === undefined) throw new Error("no videos");
  library.addToPlaylist(id, a);
  const onNext = vi.fn();
  const { unmount } = render(<PlaylistBar listId={id} slug="a" onNext={onNext} />);
  expect(onNext).toHaveBeenLastCalledWith(null);
  act(() => void library.addToPlaylist(id, b));
  const next = { title: "B", href: `/video/b?list=${id}` };
  expect(onNext).toHaveBeenLastCalledWith(expect.objectContaining(next));
  unmount();
  expect(onNext).toHaveBeenLastCalledWith(null);
});

it("shows nothing for a shared link, whose tab has no queue", () => {
  const onNext = vi.fn();
  const { container } = render(<PlaylistBar listId="queue" slug="b" onNext={onNext} />);
  expect(container.childElementCount).toBe(0);
  expect(onNext).toHaveBeenLastCalledWith(null);
});
