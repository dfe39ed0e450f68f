import { expect, test } from "vitest";
import { readCookie } from "./cookies.ts";

test("reads a cookie between spaces and tabs", () => {
  expect(readCookie("a=1; \t__Host-session = planted\t ;b=2", "__Host-session")).toBe("planted");
  expect(readCookie("a=1;session=x", "session")).toBe("x");
  expect(readCookie("a=1", "session")).toBeNull();
  expect(readCookie(undefined, "session")).toBeNull();
});

test.each([
  "\u00A0",
  "\u0085",
  "\u000B",
  "\u000C",
  "\u00FF",
  "\u00EF\u00BB\u00BF",
  "\uFEFF",
  "\u2003",
])("ignores a cookie whose name begins or ends with %j", (character) => {
  for (const name of [`${character}__Host-session`, `__Host-session${character}`]) {
    const header = `a=1; ${name}=planted; b=2`;
    expect(readCookie(header, "__Host-session")).toBeNull();
    expect(readCookie(`${header}; __Host-session=own`, "__Host-session")).toBe("own");
  }
});
