import { expect, test } from "vitest";
import { safeNext } from "./use-auth-form.ts";

test.each(["/admin/videos", "/admin/videos?page=2", "/video/a-b#t=3"])("preserves %s", (next) => {
  expect(safeNext(next)).toBe(next);
});

test.each([
  null,
  "",
  "admin",
  "//evil.test",
  "/\\evil.test",
  "https://evil.test",
  "javascript:alert(1)",
  "/a b",
  "/a\n//evil.test",
])("replaces %j with the back office", (next) => {
  expect(safeNext(next)).toBe("/admin");
});
