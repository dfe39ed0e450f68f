import { expect, test } from "vitest";
import { hasLanguage } from "./page-language.ts";

test.each([
  "/",
  "/home",
  "/feed.rss",
  "/tags/a/feed.rss",
  "/search?search=mr.robot",
  "/video/a#t.1",
])("finds a language in %s", (path) => {
  expect(hasLanguage(path)).toBe(true);
});

test.each([
  "https://example.com/",
  "/favicon.ico",
  "/media/a.mp4?x",
  "/admin/videos",
  "/api/feed",
  "#a",
])("finds none in %s", (path) => {
  expect(hasLanguage(path)).toBe(false);
});
