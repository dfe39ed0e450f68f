import { expect, test } from "vitest";
import { reasonText } from "./why-text.ts";

const text = (kind: string, values: { views?: number; count?: number; why?: string } = {}) => {
  const { views, why = `Why: ${kind}`, count } = values;
  return reasonText({ views, why, reason: { kind, count } });
};

test.each(["newcomer", "exploration", "publishedToday", "publishedRecently"])(
  "returns no reason for %s, because the card already shows the age",
  (kind) => {
    expect(text(kind)).toBeNull();
  },
);

test("returns no reason with a count of 0, and none for trending without views", () => {
  expect(text("viewsToday", { count: 0 })).toBeNull();
  expect(text("trending", { views: 0 })).toBeNull();
});

test("returns reasons that tell something", () => {
  expect(text("trending", { views: 5 })).toBe("Why: trending");
  expect(text("sameActor")).toBe("Why: sameActor");
});
