// @vitest-environment happy-dom
import { expect, test, vi } from "vitest";
import { act, fireEvent, render, screen } from "@testing-library/react";
import { fetchFavorites, removeFavorite, type FavoritePage } from "../api/favorites.ts";
import { FavoriteList } from "../components/favorite-list.tsx";
import { useFavorites } from "./use-favorites.ts";

vi.mock("../api/favorites.ts", () => ({ fetchFavorites: vi.fn(), removeFavorite: vi.fn() }));

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
  const { container } = render(<Favorites />);
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
  render(<List />);
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
