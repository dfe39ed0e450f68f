import { expect, test } from "vitest";
import type { ChangeTag } from "#server/db/change-tags.ts";
import { createRecentChanges } from "./recent-changes.ts";
import { createTagIndex } from "./tag-index.ts";

const tags = (...names: ChangeTag[]) => new Set(names);

test("finds the responses that show any of the changes, each once", () => {
  const index = createTagIndex();
  index.add("/home", tags("videos", "video:1"));
  index.add("/video/one", tags("video:1", "settings"));
  index.add("/tags", tags("labels"));
  expect(index.listShowing(tags("videos", "video:1"))).toEqual(new Set(["/home", "/video/one"]));
  expect(index.listShowing(tags("video:2"))).toEqual(new Set());
  index.remove("/home", tags("videos", "video:1"));
  expect(index.listShowing(tags("videos", "video:1"))).toEqual(new Set(["/video/one"]));
  index.clear();
  expect(index.listShowing(tags("labels"))).toEqual(new Set());
});

test("finds responses without tags for every change", () => {
  const index = createTagIndex();
  index.add("/x", tags());
  expect(index.listShowing(tags("ads"))).toEqual(new Set(["/x"]));
  index.remove("/x", tags());
  expect(index.listShowing(tags("ads"))).toEqual(new Set());
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
