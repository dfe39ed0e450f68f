import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { PrivacyFacts } from "#contract/visitors/privacy.ts";
import { listCookies, listKeys, listStored } from "#web/features/site-pages/stored-data.ts";

const everything: PrivacyFacts = {
  html: null,
  playMonths: 12,
  trashDays: 30,
  asksAge: true,
  sendsMail: true,
  hasComments: true,
  hasMembers: true,
  hasAds: true,
  hasTrustedAds: true,
  adHosts: [],
  siteHosts: [],
};
const namesOf = (things: readonly { name: string }[]) =>
  things.flatMap(({ name }) => name.split(", "));

/** Returns the names of cookies and of keys in browsers' storage, as the sources declare them. */
function declaredNames(): string[] {
  const folders = [
    "src/ads",
    "src/web",
    "src/contract",
    "src/server/http/access",
    "src/server/features/restrictions",
  ];
  const declaration = /const \w*(?:[kK]ey|Cookie|cookieName) = "([^"]+)"/g;
  return folders.flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: "utf8" })
      .filter((path) => /\.tsx?$/.test(path) && !/\.(test|fixture)\.tsx?$/.test(path))
      .flatMap((path) => [...readFileSync(join(folder, path), "utf8").matchAll(declaration)])
      .map((match) => match[1] ?? ""),
  );
}

test("lists every cookie and key declared in the sources on the privacy page", () => {
  const declared = declaredNames();
  expect(declared).toEqual(expect.arrayContaining(["visitor", "kinora.library", "scroll"]));
  const named = [...namesOf(listCookies(everything)), ...namesOf(listKeys(everything))];
  expect(declared.filter((name) => !named.includes(name))).toEqual([]);
});

test("leaves disabled features off the privacy page", () => {
  const little = { ...everything, asksAge: false, hasComments: false, hasMembers: false };
  const facts = { ...little, hasAds: false, hasTrustedAds: false };
  expect(namesOf(listCookies(facts))).toEqual(["visitor", "session", "device", "pending"]);
  expect(namesOf(listKeys(facts))).not.toContain("spots-break");
  const stored = listStored({ ...facts, playMonths: 1, trashDays: 1 });
  expect(namesOf(stored)).not.toContain("Comments");
  expect(stored.find(({ name }) => name === "Plays")?.kept).toBe("1 month, plus up to one month");
});
