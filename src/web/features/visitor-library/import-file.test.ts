// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { emptyLibrary, keptMax, type KeptVideo } from "#web/lib/visitor-library/library-data.ts";
import { library } from "#web/lib/visitor-library/library.ts";
import { readDevice } from "./device-data.ts";
import { importFile, libraryFileMaxBytes } from "./import-file.ts";

const video = (slug: string, atMs = 1): KeptVideo => ({
  slug,
  title: slug.toUpperCase(),
  thumbnail: `/media/${slug}.webp`,
  durationS: 60,
  atMs,
});
const many = (start: string, count: number) =>
  Array.from({ length: count }, (_, number) => video(`${start}${number}`, number + 1));
const fileOf = (content: unknown) => new File([JSON.stringify(content)], "library.json");
const slugs = (videos: readonly KeptVideo[]) => videos.map(({ slug }) => slug);
const slow = { kind: "tags", slug: "slow", name: "slow" } as const;

beforeEach(() => {
  library.forget();
  localStorage.clear();
});
afterEach(() => vi.unstubAllGlobals());

test("imports an exported library completely and adds nothing the second time", async () => {
  const exported = {
    history: [video("a", 9)],
    later: [video("b", 8), video("c", 7)],
    follows: [slow],
    playlists: [{ id: "1", name: "Evening", videos: [video("a"), video("b")] }],
    resume: [["an-id", 42]],
  };
  expect(await importFile(fileOf(exported))).toEqual({
    problem: null,
    added: [
      ["history", 1],
      ["later", 2],
      ["follows", 1],
      ["playlists", 1],
      ["resume", 1],
    ],
    leftOutCount: 0,
    isStored: true,
  });
  expect(readDevice()).toEqual(exported);
  expect(await importFile(fileOf(readDevice()))).toMatchObject({ added: [], leftOutCount: 0 });
});

test("preserves existing entries and adds nothing to full lists", async () => {
  library.add({
    ...emptyLibrary,
    history: many("own", keptMax),
    later: [video("b", 3)],
    playlists: [{ id: "1", name: "Evening", videos: [video("z")] }],
    follows: [slow],
  });
  const result = await importFile(
    fileOf({
      history: many("other", 5).map((one) => ({ ...one, atMs: 1e6 })),
      later: [{ ...video("b", 2), title: "Older" }, video("c", 1)],
      playlists: [{ id: "1", name: "Abend", videos: [video("y"), video("z")] }],
      follows: [{ kind: "actors", slug: "ada", name: "Ada" }, slow],
    }),
  );
  expect(result).toMatchObject({
    added: [
      ["later", 1],
      ["follows", 1],
      ["playlists", 1],
    ],
    leftOutCount: 5,
  });
  const { history, later, playlists, follows } = library.get();
  expect(slugs(history).toSorted()).toEqual(slugs(many("own", keptMax)).toSorted());
  expect(later.map(({ title }) => title)).toEqual(["B", "C"]);
  expect(playlists.map(({ name, videos }) => [name, slugs(videos)])).toEqual([
    ["Evening", ["z", "y"]],
  ]);
  expect(follows.map(({ slug }) => slug)).toEqual(["slow", "ada"]);
});

test("ignores invalid and duplicate entries", async () => {
  const list = { id: "1", name: "Evening", videos: [video("a"), video("a"), 7] };
  const result = await importFile(
    fileOf({
      later: [video("a"), video("a"), { slug: "", title: "x" }, null],
      playlists: [list, list],
    }),
  );
  expect(result).toMatchObject({
    added: [
      ["later", 1],
      ["playlists", 1],
    ],
    leftOutCount: 4,
  });
  expect(slugs(library.get().playlists[0]?.videos ?? [])).toEqual(["a"]);
});

test.each([
  ["fileUnknown", "no JSON"],
  ["fileUnknown", "null"],
  ["fileUnknown", "[]"],
  ["fileUnknown", '{"name":"kinora","version":"1"}'],
  ["fileUnknown", '{"history":"all of it"}'],
  ["fileUnknown", '{"history":[1,2,{"slug":3}]}'],
  ["fileUnknown", "[".repeat(100_000)],
  ["fileEmpty", '{"history":[],"later":[],"follows":[],"playlists":[]}'],
])("rejects an invalid file with %s: %.60s", async (problem, text) => {
  library.noteWatched(video("a"));
  const before = readDevice();
  expect(await importFile(new File([text], "some.json"))).toEqual({ problem });
  expect(readDevice()).toEqual(before);
});

test("doesn't read oversized files and reports unreadable ones", async () => {
  const unreadable = {
    size: libraryFileMaxBytes + 1,
    text: () => Promise.reject(new Error("gone")),
  };
  expect(await importFile(unreadable)).toEqual({ problem: "fileTooLarge" });
  expect(await importFile({ ...unreadable, size: 5 })).toEqual({ problem: "fileUnread" });
});

test("reports full storage and retains the library until the page is closed", async () => {
  vi.stubGlobal("localStorage", {
    getItem: () => null,
    setItem: () => {
      throw new DOMException("full", "QuotaExceededError");
    },
  });
  expect(await importFile(fileOf({ later: [video("a")] }))).toMatchObject({ isStored: false });
  expect(slugs(library.get().later)).toEqual(["a"]);
});
