// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import {
  emptyLibrary,
  keptMax,
  mergeLibraries,
  parseLibrary,
  type KeptVideo,
} from "./library-data.ts";
import { transferMax } from "#contract/visitors/device-transfers.ts";
import { packDevice, parseDevice } from "#web/features/visitor-library/device-data.ts";
import { deviceKeys } from "../device-storage.ts";
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
afterEach(() => vi.unstubAllGlobals());

test("puts the latest watched video first without duplicates and drops the oldest", () => {
  for (let number = 0; number < keptMax + 5; number += 1) library.noteWatched(video(`v${number}`));
  library.noteWatched(video("v9"));
  const { history } = library.get();
  expect(history).toHaveLength(keptMax);
  expect(slugs(history).slice(0, 2)).toEqual(["v9", `v${keptMax + 4}`]);
  expect(parseLibrary(localStorage.getItem("kinora.library")).history).toEqual(history);
});

test("saves a video for later once, and toggles follows", () => {
  const follow = { kind: "tags", slug: "slow", name: "slow" } as const;
  for (const slug of ["a", "b", "a"]) library.addLater(video(slug));
  library.toggleFollow(follow);
  expect(slugs(library.get().later)).toEqual(["a", "b"]);
  expect(library.get().follows).toEqual([follow]);
  library.toggleFollow(follow);
  expect(library.get().follows).toEqual([]);
});

test("merges two libraries, preferring later entries, without losing any", () => {
  const own = { ...emptyLibrary, history: [video("a", 5), video("b", 1)] };
  const other = {
    ...emptyLibrary,
    history: [video("b", 9), video("c", 3)],
    later: [video("d", 2)],
  };
  const merged = mergeLibraries(own, other);
  expect(slugs(merged.history)).toEqual(["b", "a", "c"]);
  expect(slugs(merged.later)).toEqual(["d"]);
});

test.each([null, "{", "[]", '{"history":[1,{"slug":2}],"follows":[{"kind":"users"}]}'])(
  "rejects an invalid library: %s",
  (text) => {
    expect(parseLibrary(text)).toEqual(emptyLibrary);
  },
);

test("cuts texts to well-formed Unicode", () => {
  const cut = `${"x".repeat(499)}😀`;
  const later = [{ ...video("a"), slug: cut, title: cut }];
  const playlists = [{ id: "p", name: `${"x".repeat(79)}😀`, videos: [] }];
  const read = parseLibrary(JSON.stringify({ later, playlists }));
  library.createPlaylist(`${"x".repeat(79)}😀`);
  const names = [read.playlists[0]?.name, library.get().playlists[0]?.name];
  const texts = [read.later[0]?.slug, read.later[0]?.title, ...names];
  expect(texts.map((text) => text?.isWellFormed())).toEqual([true, true, true, true]);
});

test("ignores thumbnails of other sites", () => {
  const foreign = { ...video("a"), thumbnail: "https://elsewhere.test/pixel.png" };
  expect(parseLibrary(JSON.stringify({ later: [foreign] })).later[0]?.thumbnail).toBeNull();
});

test("creates, renames, reorders and deletes playlists", () => {
  const id = library.createPlaylist("  Evening ")?.id ?? "";
  for (const slug of ["a", "b", "c", "b"]) library.addToPlaylist(id, video(slug));
  const list = () => library.get().playlists[0];
  expect([list()?.name, slugs(list()?.videos ?? [])]).toEqual(["Evening", ["a", "b", "c"]]);
  library.movePlaylistVideo(id, "c", -1);
  library.movePlaylistVideo(id, "a", -1);
  library.removeFromPlaylist(id, "b");
  library.renamePlaylist(id, "Night");
  expect([list()?.name, slugs(list()?.videos ?? [])]).toEqual(["Night", ["a", "c"]]);
  library.deletePlaylist(id);
  expect(library.get().playlists).toEqual([]);
});

test("renames a video in all lists, and a followed label of its kind", () => {
  const id = library.createPlaylist("Evening")?.id ?? "";
  for (const slug of ["new", "a", "old"]) {
    library.noteWatched(video(slug));
    library.addLater(video(slug));
    library.addToPlaylist(id, video(slug));
    library.toggleFollow({ kind: "tags", slug, name: slug });
  }
  library.rename("old", { slug: "new" });
  const { history, later, follows, playlists } = library.get();
  expect([history, later, playlists[0]?.videos ?? []].map(slugs)).toEqual([
    ["new", "a"],
    ["new", "a"],
    ["a", "new"],
  ]);
  const namesOf = () => library.get().follows.map(({ slug, name }) => `${slug} ${name}`);
  library.rename("old", { slug: "new", name: "New" }, "actors");
  expect(library.get().follows).toEqual(follows);
  library.rename("old", { slug: "new", name: "New" }, "tags");
  expect(namesOf()).toEqual(["new New", "a a"]);
});

test("stores nothing if the library doesn't contain a renamed video", () => {
  library.rename("old", { slug: "new" });
  expect(localStorage).toHaveLength(0);
});

test("adds no video to a full playlist", () => {
  const id = library.createPlaylist("Evening")?.id ?? "";
  for (let number = 0; number < keptMax; number += 1)
    library.addToPlaylist(id, video(`v${number}`));
  const before = library.get().playlists;
  expect(library.addToPlaylist(id, video("late"))).toBeNull();
  expect(library.addToPlaylist(id, video("v0"))).toBe(true);
  expect(library.get().playlists).toEqual(before);
});

test("merges a playlist that two devices share and adds other playlists", () => {
  const shared = { id: "1", name: "Evening", videos: [video("a")] };
  const own = { ...emptyLibrary, playlists: [shared] };
  const other = {
    ...emptyLibrary,
    playlists: [
      { ...shared, name: "Abend", videos: [video("b"), video("a")] },
      { id: "2", name: "Morning", videos: [] },
    ],
  };
  const { playlists } = mergeLibraries(own, other);
  expect(playlists.map(({ name, videos }) => [name, slugs(videos)])).toEqual([
    ["Evening", ["a", "b"]],
    ["Morning", []],
  ]);
});

test("records whether anything is followed and deletes everything stored", () => {
  library.toggleFollow({ kind: "tags", slug: "slow", name: "slow" });
  for (const name of deviceKeys) localStorage.setItem(name, "1");
  expect(document.documentElement.hasAttribute("data-follows")).toBe(true);
  library.forget();
  expect(localStorage).toHaveLength(0);
  expect(document.documentElement.hasAttribute("data-follows")).toBe(false);
});

test("stores the library for offline use, but not in the browser of a user", () => {
  const register = vi.fn(() => Promise.resolve());
  vi.stubGlobal("navigator", { serviceWorker: { register } });
  localStorage.setItem("user", "{}");
  library.addLater(video("a"));
  expect(register).not.toHaveBeenCalled();
  localStorage.removeItem("user");
  library.addLater(video("b"));
  expect(register).toHaveBeenCalledWith("/offline.js");
});

test("drops the oldest history if a library is too large for a device transfer", () => {
  const long = "x".repeat(500);
  const history = Array.from({ length: keptMax }, (_, number) => ({
    ...video(`v${number}`),
    title: long,
    thumbnail: `/media/${long}`.slice(0, 500),
  }));
  const later = history.slice(0, 150);
  const { text, isComplete } = packDevice({ ...emptyLibrary, history, later, resume: [["a", 4]] });
  expect(text.length).toBeLessThanOrEqual(transferMax);
  expect(isComplete).toBe(false);
  const unpacked = parseDevice(text);
  expect(unpacked.later).toEqual(later);
  expect(unpacked.resume).toEqual([["a", 4]]);
  expect(slugs(unpacked.history)).toEqual(slugs(history).slice(0, unpacked.history.length));
  expect(packDevice({ ...emptyLibrary, resume: [] })).toMatchObject({ isComplete: true });
});

test("retains every change until the page is closed if the browser stores nothing", () => {
  const refuse = () => {
    throw new DOMException("full", "QuotaExceededError");
  };
  library.addLater(video("stored"));
  vi.stubGlobal("localStorage", { getItem: () => null, setItem: refuse, removeItem: refuse });
  expect(library.addLater(video("a"))).toBe(false);
  expect(library.addLater(video("b"))).toBe(false);
  expect(slugs(library.get().later)).toEqual(["b", "a"]);
  vi.unstubAllGlobals();
  expect(library.addLater(video("c"))).toBe(true);
  const { later } = parseLibrary(localStorage.getItem("kinora.library"));
  expect(slugs(later)).toEqual(["c", "b", "a"]);
  vi.stubGlobal("localStorage", { getItem: () => null, removeItem: refuse });
  library.forget();
  expect(library.get().later).toEqual([]);
});

test("shows or hides the follows row when another tab changes the follows", () => {
  const hasRow = () => document.documentElement.hasAttribute("data-follows");
  const changeElsewhere = (follows: unknown[]) => {
    localStorage.setItem("kinora.library", JSON.stringify({ follows }));
    window.dispatchEvent(new StorageEvent("storage", { key: "kinora.library" }));
  };
  changeElsewhere([{ kind: "tags", slug: "slow", name: "slow" }]);
  expect(hasRow()).toBe(true);
  changeElsewhere([]);
  expect(hasRow()).toBe(false);
});

test("follows another tab that deletes everything after this tab couldn't store a change", () => {
  library.addLater(video("a"));
  const refuse = () => {
    throw new DOMException("full", "QuotaExceededError");
  };
  vi.stubGlobal("localStorage", { getItem: () => null, setItem: refuse, removeItem: refuse });
  expect(library.addLater(video("b"))).toBe(false);
  vi.unstubAllGlobals();
  localStorage.clear();
  window.dispatchEvent(new StorageEvent("storage", { key: "kinora.library", newValue: null }));
  expect(library.get().later).toEqual([]);
  library.addLater(video("c"));
  expect(slugs(parseLibrary(localStorage.getItem("kinora.library")).later)).toEqual(["c"]);
});
