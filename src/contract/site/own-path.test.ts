import { expect, test } from "vitest";
import { ownPathOr } from "./own-path.ts";

test.each(["/admin/videos", "/admin/videos?page=2", "/video/a-b#t=3"])("preserves %s", (next) => {
  expect(ownPathOr(next, "/admin")).toBe(next);
});

test.each([
  null,
  undefined,
  "",
  "admin",
  "//evil.test",
  "/\\evil.test",
  "https://evil.test",
  "javascript:alert(1)",
  "/a b",
  "/a\n//evil.test",
])("replaces %j with the fallback", (next) => {
  expect(ownPathOr(next, "/admin")).toBe("/admin");
});
