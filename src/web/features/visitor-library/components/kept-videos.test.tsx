// @vitest-environment happy-dom
import { useState } from "react";
import { expect, test } from "vitest";
import { fireEvent, render, screen } from "@testing-library/react";
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
