import { describe, expect, test } from "vitest";
import { runScript } from "./run-script.fixture.ts";
import script from "./theme-boot.ts?inline-script";

function run(stored: Partial<Record<string, string>> | null, cookie = "") {
  const dataset: Record<string, string> = {};
  const storage = {
    getItem(key: string) {
      if (stored === null) throw new Error("storage is off");
      return stored[key] ?? null;
    },
  };
  runScript(script, {
    document: { documentElement: { dataset }, cookie },
    localStorage: storage,
  });
  return dataset;
}

describe("before the first paint", () => {
  test.each(["dark", "light"])("the chosen theme holds: %s", (theme) => {
    expect(run({ theme })).toMatchObject({ theme });
  });

  test("the theme follows the system where none is chosen or the choice is unknown", () => {
    expect(run({})).toEqual({ closed: "" });
    expect(run({ theme: "sepia" })).toEqual({ closed: "" });
  });

  test("the ad slots that are still closed are named", () => {
    const soon = Date.now() + 60_000;
    const stored = `header@${soon} sidebar@${Date.now() - 1} footer@${soon}`;
    expect(run({ "spots-closed": stored })).toEqual({ closed: "header footer" });
  });

  test("the space of the row of follows is reserved for visitors who follow something", () => {
    expect(run({ "kinora.follows": "1" })).toEqual({ closed: "", follows: "" });
  });

  test("theatre mode is kept", () => {
    const kept = (isTheatre: boolean) => run({ "kinora.player": JSON.stringify({ isTheatre }) });
    expect(kept(true)).toEqual({ closed: "", theatre: "" });
    expect(kept(false)).toEqual({ closed: "" });
  });

  test("slots for ads that need a consent have space for visitors who gave it", () => {
    expect(run({}, "a=1; consent=yes")).toEqual({ closed: "", consent: "yes" });
    for (const cookie of ["consent=no", "a=consent=yes", "xconsent=yes"]) {
      expect(run({}, cookie)).toEqual({ closed: "" });
    }
  });

  test("without storage nothing is set and nothing fails", () => {
    expect(run(null)).toEqual({});
  });
});
