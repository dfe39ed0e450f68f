// @vitest-environment happy-dom
import { render, screen } from "@testing-library/react";
import { afterEach, expect, it } from "vitest";
import { writeQueue } from "#web/lib/play-queue.ts";
import { nextInPlaylist, PlaylistBar } from "./playlist-bar.tsx";

afterEach(() => sessionStorage.clear());

const videos = ["a", "b", "c"].map((slug) => ({
  slug,
  title: slug.toUpperCase(),
  thumbnail: null,
}));

it("steps through the queue of the tab and links to its page", () => {
  writeQueue({ name: "Trending", href: "/trending?timeRange=today", videos });
  render(<PlaylistBar listId="queue" slug="b" />);
  screen.getByText("2 of 3");
  const hrefOf = (name: string) => screen.getByRole("link", { name }).getAttribute("href");
  expect(hrefOf("Trending")).toBe("/trending?timeRange=today");
  expect(hrefOf("Previous in the playlist: A")).toBe("/video/a?list=queue");
  expect(hrefOf("Next in the playlist: C")).toBe("/video/c?list=queue");
  expect(nextInPlaylist("queue", "b")).toMatchObject({ title: "C", href: "/video/c?list=queue" });
  expect(nextInPlaylist("queue", "c")).toBeNull();
});

it("shows nothing for a shared link, whose tab has no queue", () => {
  const { container } = render(<PlaylistBar listId="queue" slug="b" />);
  expect(container.childElementCount).toBe(0);
  expect(nextInPlaylist("queue", "b")).toBeNull();
});
