import { expect, test } from "vitest";
import { isUuid } from "#server/lib/ids.ts";
import { slugCandidates } from "./new-videos.service.ts";

const firstTwo = (title: string) => {
  const slugs = slugCandidates(title);
  return [slugs.next().value, slugs.next().value];
};

test("generates slugs from the title", () => {
  expect(firstTwo("A café at night")).toEqual(["a-cafe-at-night", "a-cafe-at-night-2"]);
  expect(firstTwo("夜")[0]).toMatch(/^video-[a-z0-9]+$/);
});

test("generates no slug that looks like an id", () => {
  const titles = [
    "0f8fad5b-d9cb-469f-a165-70867728950e",
    "0f8fad5b d9cb 469f a165 70867728950e",
    "12345678-1234-1234-1234-123456789012",
  ];
  const slugs = titles.map((title) => String(firstTwo(title)[0]));
  expect(slugs[1]).toBe("video-0f8fad5b-d9cb-469f-a165-70867728950e");
  expect(slugs.filter(isUuid)).toEqual([]);
});
