// @vitest-environment happy-dom
import { expect, test, vi } from "vitest";
import { act, fireEvent, render, screen } from "@testing-library/react";
import { MemoryRouter } from "react-router";
import { noteScroll } from "#web/lib/lists/scroll-memory.ts";
import { fetchFavorites, removeFavorite, type FavoritePage } from "./calls.ts";
import { FavoriteList } from "./favorite-list.tsx";
import { useFavorites } from "./use-favorites.ts";

vi.mock("./calls.ts", () => ({ fetchFavorites: vi.fn(), removeFavorite: vi.fn() }));

const pageOf = (...slugs: string[]) =>
  ({ videos: slugs.map((slug) => ({ slug, title: slug })), total: 4 }) as unknown as FavoritePage;

function Favorites() {
  const { videos, total, remove, loadMore } = useFavorites(true);
  return (
    <>
      <p>{`${videos.map(({ slug }) => slug).join(" ")} of ${total}`}</p>
      {videos.map((video) => (
        <button type="button" key={video.slug} onClick={() => void remove(video)}>
          {video.slug}
        </button>
      ))}
      <button type="button" onClick={() => void loadMore()}>
        More
      </button>
    </>
  );
}

async function start() {
  vi.mocked(fetchFavorites).mockResolvedValueOnce(pageOf("a", "b", "c"));
  const { container } = render(<Favorites />, { wrapper: MemoryRouter });
  await screen.findByText("a b c of 4");
  return {
    shown: () => container.querySelector("p")?.textContent,
    press: (name: string) => fireEvent.click(screen.getByRole("button", { name })),
  };
}

test("doesn't bring back a video that was removed while more were loading", async () => {
  const { shown, press } = await start();
  const more = Promise.withResolvers<FavoritePage>();
  vi.mocked(fetchFavorites).mockReturnValueOnce(more.promise);
  vi.mocked(removeFavorite).mockResolvedValueOnce(undefined);
  press("More");
  press("b");
  await act(async () => more.resolve(pageOf("d")));
  expect(shown()).toBe("a c d of 4");
});

test("restores only the video whose removal failed", async () => {
  vi.spyOn(console, "warn").mockImplementation(() => {});
  const { shown, press } = await start();
  const failing = Promise.withResolvers<never>();
  vi.mocked(removeFavorite).mockReturnValueOnce(failing.promise).mockResolvedValueOnce(undefined);
  press("a");
  press("b");
  await act(async () => failing.reject(new Error("500")));
  expect(shown()).toBe("a c of 3");
});

function List() {
  return <FavoriteList favorites={useFavorites(true)} />;
}

test("offers the remaining favorites once all loaded ones are removed", async () => {
  vi.mocked(fetchFavorites).mockResolvedValueOnce({ ...pageOf("a"), total: 2 });
  vi.mocked(removeFavorite).mockResolvedValue(undefined);
  render(<List />, { wrapper: MemoryRouter });
  const remove = async (title: string) =>
    fireEvent.click(await screen.findByRole("button", { name: `Remove from favorites: ${title}` }));
  await remove("a");
  expect(screen.queryByText("No favorites yet")).toBeNull();
  vi.mocked(fetchFavorites).mockResolvedValueOnce({ ...pageOf("b"), total: 1 });
  fireEvent.click(screen.getByRole("button", { name: "Load more" }));
  await remove("b");
  await screen.findByText("No favorites yet");
  expect(screen.queryByRole("button", { name: "Load more" })).toBeNull();
});

test("loads as many as before when the visitor returns, and scrolls to the same place", async () => {
  const slugs = Array.from({ length: 20 }, (_, number) => `v${number}`);
  const page = (from: number, to: number) => ({ ...pageOf(...slugs.slice(from, to)), total: 30 });
  vi.mocked(fetchFavorites).mockResolvedValueOnce(page(0, 12)).mockResolvedValueOnce(page(12, 20));
  const { unmount } = render(<Favorites />, { wrapper: MemoryRouter });
  await screen.findByText(/v11 of 30/);
  fireEvent.click(screen.getByRole("button", { name: "More" }));
  await screen.findByText(/v19 of 30/);
  noteScroll("default /", 900);
  unmount();
  const scrollTo = vi.spyOn(window, "scrollTo").mockReturnValue();
  vi.mocked(fetchFavorites).mockResolvedValueOnce(page(0, 20));
  render(<Favorites />, { wrapper: MemoryRouter });
  // The browser reports a lower position, because the placeholder is short.
  noteScroll("default /", 100);
  await screen.findByText(/v19 of 30/);
  expect(vi.mocked(fetchFavorites).mock.lastCall).toEqual([0, 20]);
  expect(scrollTo.mock.calls).toEqual([[0, 900]]);
});
