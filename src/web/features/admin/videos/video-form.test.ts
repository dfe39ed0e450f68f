import { expect, it } from "vitest";
import { formDifferences, updateOf, type VideoForm } from "./video-form.ts";

const form: VideoForm = {
  title: " Tides ",
  description: "  ",
  categories: "Nature, , Sea ,",
  tags: "",
  actors: " Ada Loom ",
  isPublished: true,
  isPremium: false,
};

it("trims, splits comma lists and sends an empty description as null", () => {
  expect(updateOf(form)).toEqual({
    title: "Tides",
    description: null,
    categories: ["Nature", "Sea"],
    tags: [],
    actors: ["Ada Loom"],
    isPublished: true,
    isPremium: false,
  });
});

it("finds differences but ignores spaces", () => {
  const theirs = { ...form, title: "Tides", description: "", categories: "Nature, Sea" };
  const saved = { ...theirs, actors: "Ada Loom", isPremium: true };
  expect(formDifferences(form, saved)).toEqual([{ label: "Premium", mine: "No", theirs: "Yes" }]);
});
