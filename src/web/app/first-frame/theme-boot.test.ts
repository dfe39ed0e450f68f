import { describe, expect, test } from "vitest";
import { runScript } from "./run-script.fixture.ts";
import script from "./theme-boot.ts?inline-script";

const origin = "https://videos.example";

function run(
  stored: Partial<Record<string, string>> | null,
  cookie = "",
  languages?: string,
  referrer = "",
) {
  const dataset: Record<string, string> = languages === undefined ? {} : { languages };
  const storage = {
    getItem(key: string) {
      if (stored === null) throw new Error("storage is off");
      return stored[key] ?? null;
    },
  };
  const bars = [
    { dataset: { theme: "dark" }, media: "" },
    { dataset: { theme: "light" }, media: "" },
  ];
  const opened: string[] = [];
  runScript(script, {
    document: {
      documentElement: { dataset, lang: "en" },
      get cookie() {
        if (stored === null) throw new Error("a sandboxed frame has no cookies");
        return cookie;
      },
      querySelectorAll: () => bars,
      referrer,
    },
    window: { localStorage: storage },
    navigator: { languages: ["de-DE", "en"], userAgent: "" },
    location: {
      origin,
      pathname: "/home",
      search: "",
      hash: "",
      replace: (url: string) => opened.push(url),
    },
  });
  return { dataset, bars: bars.map(({ media }) => media), opened };
}

const dataOf = (...args: Parameters<typeof run>) => run(...args).dataset;

describe("before the first paint", () => {
  test.each(["dark", "light"])("applies the chosen theme: %s", (theme) => {
    expect(dataOf({ theme })).toMatchObject({ theme });
  });

  test("gives the browser's bars the color of the chosen theme", () => {
    expect(run({ theme: "light" }).bars).toEqual(["not all", "all"]);
    expect(run({}).bars).toEqual(["", ""]);
  });

  test("follows the system's theme if there is no valid choice", () => {
    expect(dataOf({})).toEqual({ closed: "" });
    expect(dataOf({ theme: "sepia" })).toEqual({ closed: "" });
  });

  test("marks the ad slots that are still closed", () => {
    const soon = Date.now() + 60_000;
    const stored = `header@${soon} sidebar@${Date.now() - 1} footer@${soon}`;
    expect(dataOf({ "spots-closed": stored })).toEqual({ closed: "header footer" });
  });

  test("reserves space for the row of follows if the visitor follows something", () => {
    expect(dataOf({ "kinora.follows": "1" })).toEqual({ closed: "", follows: "" });
  });

  test("remembers theater mode", () => {
    const kept = (isTheatre: boolean) => dataOf({ "kinora.player": JSON.stringify({ isTheatre }) });
    expect(kept(true)).toEqual({ closed: "", theatre: "" });
    expect(kept(false)).toEqual({ closed: "" });
  });

  test("reserves slots that need consent if the visitor has given it", () => {
    expect(dataOf({}, "a=1; consent=yes")).toEqual({ closed: "", consent: "yes" });
    for (const cookie of ["consent=no", "a=consent=yes", "xconsent=yes"]) {
      expect(dataOf({}, cookie)).toEqual({ closed: "" });
    }
  });

  test("opens the page in the browser's language without storage and cookies", () => {
    const { dataset, opened } = run(null, "", "en de");
    expect(dataset).toMatchObject({ closed: "" });
    expect(opened).toEqual(["/de/home"]);
  });

  test.each([
    ["stays on the page after a link of this site", null, `${origin}/de/home`, []],
    [
      "opens the browser's language after a link of another site",
      null,
      "https://videos.example.org/",
      ["/de/home"],
    ],
    [
      "opens the stored language after a link of this site",
      { "kinora.language": "de" },
      `${origin}/home`,
      ["/de/home"],
    ],
  ] as const)("%s", (_name, stored, referrer, expected) => {
    expect(run(stored, "", "en de", referrer).opened).toEqual(expected);
  });
});
