import { expect, test } from "vitest";
import { languageCodes } from "#contract/site/languages.ts";
import { placeholderProblem } from "#contract/site/text-places.ts";
import { nameValues, numberValues, standardTexts } from "./standard-texts.ts";

test.each(languageCodes)("lists the replaceable texts of %s with their placeholders", (code) => {
  const texts = standardTexts(code);
  expect(texts.size).toBeGreaterThan(500);
  expect(texts.get("errors.offline")).toEqual(expect.any(String));
  expect(texts.get("browse.tags.introOf")).toContain("{name}");
  expect(texts.get("found.didYouMean")).toContain("<meant/>");
  expect(texts.get("search.suggestionCount.other")).toContain("#");
  expect(texts.get("server.age.title")).toBeUndefined();
});

test("requires the placeholders", () => {
  const text = { id: "a.b", standard: "{name} of <all/>", own: null };
  expect(placeholderProblem(text, "All: <all/>, {name}")).toBeNull();
  expect(placeholderProblem(text, "All")).toBe("Keep {name}, <all/>");
  expect(placeholderProblem(text, "{name} {2} <all/>")).toBe("Remove {2}");
  const counted = { id: "format.views.one", standard: "# view", own: null };
  expect(placeholderProblem(counted, "one look")).toBe("Keep #");
  expect(placeholderProblem({ ...counted, id: "feed.less" }, "one look")).toBeNull();
});

test("numbers a text's values for pages and names them for people", () => {
  const own = "{number}: {title}, {title} {other}";
  expect(numberValues("feed.item", own)).toBe("{2}: {1}, {1} {other}");
  expect(nameValues("feed.item", "{2}: {1}, {1} {other}")).toBe(own);
  expect(numberValues("unknown", "{1} {title}")).toBe("{1} {title}");
});
