import { expect, it } from "vitest";
import { updateOf, videoMerge, type VideoForm } from "./edit-video-dialog.tsx";

const form: VideoForm = {
  title: " Tides ",
  description: "  ",
  categories: "Nature, , Sea ,",
  tags: "",
  actors: " Ada Loom ",
  isPublished: true,
  isPremium: false,
  embedding: "site",
};

it("trims values, splits lists at commas and sends an empty description as null", () => {
  expect(updateOf(form, { ...form, categories: "", tags: "Sea", actors: "" })).toEqual({
    title: "Tides",
    description: null,
    categories: ["Nature", "Sea"],
    tags: [],
    actors: ["Ada Loom"],
    isPublished: true,
    isPremium: false,
    embedding: "site",
  });
});

it("leaves out labels that weren't changed", () => {
  const update = updateOf({ ...form, title: "Ebb", tags: "Sea" }, form);
  expect(update).toMatchObject({ title: "Ebb", tags: ["Sea"] });
  expect([update.categories, update.actors]).toEqual([undefined, undefined]);
});

it("ignores surrounding spaces when it compares forms", () => {
  const saved = { ...form, title: "Tides", description: "", categories: "Nature, Sea" };
  expect(videoMerge.isSame(form, saved)).toBe(true);
  expect(videoMerge.isSame(form, { ...saved, actors: "" })).toBe(false);
});

it("merges fields that one user changed, and reports fields that both changed", () => {
  const mine = { ...form, title: "Mine", description: "Mine", tags: "same" };
  const theirs = { ...form, title: "Theirs", isPremium: true, tags: "same" };
  expect(videoMerge.merge(form, mine, theirs)).toEqual({
    form: { ...mine, isPremium: true },
    clashes: [{ name: "title", label: "Title", mine: "Mine", theirs: "Theirs" }],
  });
});
