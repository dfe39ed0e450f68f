import { expect, test } from "vitest";
import type { ChangeTag } from "#server/db/change-tags.ts";
import { createRecentChanges, isShown } from "./recent-changes.ts";

const tags = (...names: ChangeTag[]) => new Set(names);

test("finds responses that show any of the changes", () => {
  const shown = tags("videos", "video:1");
  expect(isShown(shown, tags("ads", "video:1"))).toBe(true);
  expect(isShown(shown, tags("video:2", "settings"))).toBe(false);
  expect(isShown(shown, "everything")).toBe(true);
  expect(isShown(tags(), tags("ads"))).toBe(true);
});

test("finds the recent changes that concern a response", () => {
  const changes = createRecentChanges();
  changes.add(tags("ads"));
  const since = changes.count();
  expect(changes.concernsSince(since, tags("ads"))).toBe(false);
  changes.add(tags("video:1", "videos"));
  expect(changes.concernsSince(since, tags("video:1"))).toBe(true);
  expect(changes.concernsSince(since, tags("video:2", "ads"))).toBe(false);
  expect(changes.concernsSince(since, tags())).toBe(true);
  for (let n = 0; n < 99; n += 1) changes.add(tags("settings"));
  expect(changes.concernsSince(since, tags("ads"))).toBe(false);
  // More changes than it remembers.
  changes.add(tags("settings"));
  expect(changes.concernsSince(since, tags("ads"))).toBe(true);
  changes.add("everything");
  expect(changes.concernsSince(changes.count() - 1, tags("ads"))).toBe(true);
});
