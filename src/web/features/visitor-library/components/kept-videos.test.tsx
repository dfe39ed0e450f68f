// @vitest-environment happy-dom
import { useState } from "react";
import { expect, test } from "vitest";
import { click, render } from "#web/lib/render.fixture.ts";
import { KeptVideos } from "./kept-videos.tsx";

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

test("moves the focus to the next item, or else to the previous one, or else to the heading", async () => {
  const screen = await render(<List />);
  const removeFocused = () => click(document.activeElement as HTMLElement);
  screen.get("button", /\bb\b/).focus();
  await removeFocused();
  expect(document.activeElement).toBe(screen.get("button", /\bc\b/));
  await removeFocused();
  expect(document.activeElement).toBe(screen.get("button", /\ba\b/));
  await removeFocused();
  expect(document.activeElement).toBe(screen.get("heading", "History"));
});
