// @vitest-environment happy-dom
import { afterEach, expect, test, vi } from "vitest";
import { steeringMax } from "#contract/lists/feed.ts";
import { library } from "#web/lib/visitor-library/library.ts";
import { changeSteering, readSteering, steeringQuery } from "./steering.ts";

afterEach(() => {
  vi.unstubAllGlobals();
  localStorage.clear();
});

test("remembers a visitor's preferences and sends them with the next request", () => {
  expect(steeringQuery()).toEqual({ personal: "", not: "", less: "" });
  changeSteering({ not: "a" });
  changeSteering({ less: "t" });
  changeSteering({ isPersonal: false });
  expect(steeringQuery()).toEqual({ personal: "false", not: "a", less: "t" });
});

test("retains only the latest preferences of each kind, without duplicates", () => {
  for (let number = 0; number < steeringMax.not + 5; number += 1) {
    changeSteering({ not: `video-${number}` });
  }
  changeSteering({ not: "video-7" });
  const { not } = readSteering();
  expect(not).toHaveLength(steeringMax.not);
  expect(not.at(-1)).toBe("video-7");
  expect(new Set(not).size).toBe(not.length);
});

test.each(["{", "null", "[1]", '{"not":7,"less":[1,"t"],"isPersonal":"no"}'])(
  "ignores invalid saved preferences: %s",
  (saved) => {
    localStorage.setItem("kinora.feed.wishes", saved);
    expect(readSteering()).toMatchObject({ isPersonal: true, not: [] });
  },
);

test("applies preferences until the page is closed if storage is off", () => {
  const refuse = () => {
    throw new DOMException("denied", "SecurityError");
  };
  vi.stubGlobal("localStorage", { getItem: refuse, setItem: refuse });
  changeSteering({ not: "a" });
  changeSteering({ isPersonal: false });
  expect(readSteering()).toEqual({ isPersonal: false, not: ["a"], less: [] });
  library.forget();
  expect(readSteering()).toEqual({ isPersonal: true, not: [], less: [] });
  changeSteering({ not: "a" });
  changeSteering({ isPersonal: false });
  // A browser that stores data again gets all of them.
  vi.unstubAllGlobals();
  changeSteering({ less: "t" });
  expect(localStorage.getItem("kinora.feed.wishes")).toBe(
    JSON.stringify({ isPersonal: false, not: ["a"], less: ["t"] }),
  );
});
