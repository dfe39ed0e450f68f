// @vitest-environment happy-dom
import { useState } from "react";
import { expect, test } from "vitest";
import { act, fireEvent, render, screen, waitFor } from "@testing-library/react";
import { press } from "#test/harness/press.ts";
import { openPublicPage } from "#web/app/public-page.fixture.tsx";
import { library } from "#web/lib/visitor-library/library.ts";
import { KeptVideos } from "../library-page.tsx";

const videoOf = (slug: string) => ({
  slug,
  title: slug,
  thumbnail: null,
  durationS: 60,
  isSensitive: false,
  atMs: 0,
});

function List() {
  const [videos, setVideos] = useState(["a", "b", "c"].map(videoOf));
  const remove = (slug: string) => setVideos((now) => now.filter((video) => video.slug !== slug));
  return (
    <main>
      <h1>History</h1>
      <KeptVideos videos={videos} empty="Nothing" onRemove={remove} />
    </main>
  );
}

test("moves the focus to the next item, or else to the previous one, or else to the heading", () => {
  render(<List />);
  const removeFocused = () => fireEvent.click(document.activeElement as HTMLElement);
  screen.getByRole("button", { name: /\bb\b/ }).focus();
  removeFocused();
  expect(document.activeElement).toBe(screen.getByRole("button", { name: /\bc\b/ }));
  removeFocused();
  expect(document.activeElement).toBe(screen.getByRole("button", { name: /\ba\b/ }));
  removeFocused();
  expect(document.activeElement).toBe(screen.getByRole("heading", { name: "History" }));
});

test("moves the focus to another playlist after one is deleted, or else to the heading", async () => {
  for (const name of ["Night", "Noon", "Morning"]) library.createPlaylist(name);
  const [first] = library.get().playlists;
  for (const slug of ["a", "b"]) library.addToPlaylist(first?.id ?? "", videoOf(slug));
  await openPublicPage("/library#playlists", {});
  const remove = async (name: string) => {
    press(`Delete ${name}`);
    press("Delete", await screen.findByRole("dialog"));
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  };
  await remove("Noon");
  expect(document.activeElement).toBe(screen.getByRole("button", { name: "Delete Night" }));
  await remove("Night");
  expect(document.activeElement).toBe(screen.getByRole("button", { name: "Delete Morning" }));
  await remove("Morning");
  expect(document.activeElement).toBe(screen.getByRole("heading", { level: 1 }));
});

test("moves the focus to the heading after the history is cleared", async () => {
  library.noteWatched(videoOf("a"));
  await openPublicPage("/library#history", {});
  const clear = screen.getByRole("button", { name: "Clear history" });
  act(() => clear.focus());
  press("Clear history");
  screen.getByText("Videos you open appear here.");
  expect(document.activeElement).toBe(screen.getByRole("heading", { level: 1 }));
});
