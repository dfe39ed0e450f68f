import { expect, test } from "vitest";
import { withPrefix } from "./languages.ts";
import { isTranslated, splitLanguage } from "./translated-pages.ts";

test.each([
  ["/en/home?sort=newest", "en", "/home?sort=newest"],
  ["/en", "en", "/"],
  ["/en?search=moon", "en", "/?search=moon"],
  ["/en/video/a-b", "en", "/video/a-b"],
  ["/home", null, "/home"],
  ["/en//other.example", null, "/en//other.example"],
  ["/deer", null, "/deer"],
  ["/xx/home", null, "/xx/home"],
  ["/en/api/videos", null, "/en/api/videos"],
  ["/en/admin", null, "/en/admin"],
  ["/en/en/home", null, "/en/en/home"],
])("finds that %s is in %s", (given, language, url) => {
  expect(splitLanguage(given)).toEqual({ language, url });
});

test("translates visitors' pages but not the back office", () => {
  expect(["/", "/feed/x", "/?a=1"].map(isTranslated)).toEqual([true, true, true]);
  expect(["/admin", "/auth/signin", "/setup"].map(isTranslated)).toEqual([false, false, false]);
});

test("puts a language before every path", () => {
  expect([withPrefix("/de", "/"), withPrefix("/de", "/home"), withPrefix("", "/")]).toEqual([
    "/de",
    "/de/home",
    "/",
  ]);
});
