import { expect, it } from "vitest";
import { robotsText } from "./robots.ts";

const origin = "https://video.example";
const protection = {
  crawlSearch: true,
  crawlAi: true,
  crawlOthers: true,
  mediaOnOtherSites: true,
  mediaWithoutOrigin: true,
};

/** Returns the rules of the group that a crawler follows: its own, otherwise that of `*`. */
function rulesFor(crawler: string, text: string): string[] {
  const groups = text.split("\n\n").map((group) => group.split("\n"));
  const ofName = (name: string) => groups.find((lines) => lines.includes(`User-agent: ${name}`));
  const lines = ofName(crawler) ?? ofName("*") ?? [];
  return lines.filter((line) => !line.startsWith("User-agent:"));
}

it("lets all crawlers see what visitors see, in one group", () => {
  const text = robotsText(origin, protection);
  expect(text.match(/^User-agent:.*$/gm)).toEqual(["User-agent: *"]);
  expect(rulesFor("GPTBot", text)).toContain("Disallow: /admin");
  expect(rulesFor("GPTBot", text)).not.toContain("Disallow: /");
  expect(text.endsWith(`\n\nSitemap: ${origin}/sitemap.xml\n`)).toBe(true);
});

it.each([
  ["Googlebot", "crawlSearch"],
  ["GPTBot", "crawlAi"],
  ["SomeBot", "crawlOthers"],
] as const)("asks %s alone not to come", (refused, name) => {
  const text = robotsText(origin, { ...protection, [name]: false });
  const isRefused = (crawler: string) => rulesFor(crawler, text).join() === "Disallow: /";
  expect(["Googlebot", "GPTBot", "SomeBot"].filter(isRefused)).toEqual([refused]);
});

it("lets search engines in if all others are asked not to come", () => {
  const text = robotsText(origin, { ...protection, crawlAi: false, crawlOthers: false });
  expect(rulesFor("Bingbot", text)).toContain("Disallow: /admin");
  expect(rulesFor("CCBot", text)).toEqual(["Disallow: /"]);
});
