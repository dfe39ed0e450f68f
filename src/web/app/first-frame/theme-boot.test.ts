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
  test.each(["dark", "light"])("applies the chosen theme: %s", (theme) => {
    expect(run({ theme })).toMatchObject({ theme });
  });

  test("follows the system's theme if there is no valid choice", () => {
    expect(run({})).toEqual({ closed: "" });
    expect(run({ theme: "sepia" })).toEqual({ closed: "" });
  });

  test("marks the ad slots that are still closed", () => {
    const soon = Date.now() + 60_000;
    const stored = `header@${soon} sidebar@${Date.now() - 1} footer@${soon}`;
    expect(run({ "spots-closed": stored })).toEqual({ closed: "header footer" });
  });

  test("reserves space for the row of follows if the visitor follows something", () => {
    expect(run({ "kinora.follows": "1" })).toEqual({ closed: "", follows: "" });
  });

  test("remembers theatre mode", () => {
    const kept = (isTheatre: boolean) => run({ "kinora.player": JSON.stringify({ isTheatre }) });
    expect(kept(true)).toEqual({ closed: "", theatre: "" });
    expect(kept(false)).toEqual({ closed: "" });
  });

  test("reserves slots that need consent if the visitor has given it", () => {
    expect(run({}, "a=1; consent=yes")).toEqual({ closed: "", consent: "yes" });
    for (const cookie of ["consent=no", "a=consent=yes", "xconsent=yes"]) {
      expect(run({}, cookie)).toEqual({ closed: "" });
    }
  });

  test("sets nothing and doesn't fail without storage", () => {
    expect(run(null)).toEqual({});
  });
});
