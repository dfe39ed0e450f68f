// @vitest-environment happy-dom
import { beforeEach, expect, test } from "vitest";
import { keptMax, mergeLibraries, parseLibrary, type KeptVideo } from "./library-data.ts";
import { library } from "./library.ts";

const video = (slug: string, atMs = 0): KeptVideo => ({
  slug,
  title: slug.toUpperCase(),
  thumbnail: `/media/${slug}.webp`,
  durationS: 60,
  atMs,
});
const slugs = (videos: readonly KeptVideo[]) => videos.map(({ slug }) => slug);

beforeEach(() => localStorage.clear());

test("the latest watched comes first, once, and the oldest leave", () => {
  for (let number = 0; number < keptMax + 5; number += 1) library.noteWatched(video(`v${number}`));
  library.noteWatched(video("v9"));
  const { history } = library.get();
  expect(history).toHaveLength(keptMax);
  expect(slugs(history).slice(0, 2)).toEqual(["v9", `v${keptMax + 4}`]);
  expect(parseLibrary(localStorage.getItem("kinora.library")).history).toEqual(history);
});

test("watch later and follows are switched on and off", () => {
  const follow = { kind: "tags", slug: "slow", name: "slow" } as const;
  library.toggleLater(video("a"));
  library.toggleFollow(follow);
  expect(slugs(library.get().later)).toEqual(["a"]);
  expect(library.get().follows).toEqual([follow]);
  library.toggleLater(video("a"));
  library.toggleFollow(follow);
  expect([library.get().later, library.get().follows]).toEqual([[], []]);
});

test("two libraries become one: the later visit counts, nothing is lost", () => {
  const own = { history: [video("a", 5), video("b", 1)], later: [], follows: [] };
  const other = { history: [video("b", 9), video("c", 3)], later: [video("d", 2)], follows: [] };
  const merged = mergeLibraries(own, other);
  expect(slugs(merged.history)).toEqual(["b", "a", "c"]);
  expect(slugs(merged.later)).toEqual(["d"]);
});

test.each([null, "{", "[]", '{"history":[1,{"slug":2}],"follows":[{"kind":"users"}]}'])(
  "what is not a library is none: %s",
  (text) => {
    expect(parseLibrary(text)).toEqual({ history: [], later: [], follows: [] });
  },
);

test("a thumbnail of another site is not shown", () => {
  const foreign = { ...video("a"), thumbnail: "https://elsewhere.test/pixel.png" };
  expect(parseLibrary(JSON.stringify({ later: [foreign] })).later[0]?.thumbnail).toBeNull();
});
