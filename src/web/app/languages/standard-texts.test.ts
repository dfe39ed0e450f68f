import { expect, test } from "vitest";
import { languageCodes } from "#contract/site/languages.ts";
import { placeholderProblem } from "#contract/site/text-places.ts";
import { replaceTexts } from "#web/lib/language/replace-texts.ts";
import { standardTexts } from "./standard-texts.ts";

test.each(languageCodes)(
  "keeps the names and placeholders of the replaceable texts of %s",
  (code) => {
    const texts = standardTexts(code);
    const english = standardTexts("en");
    expect(Object.keys(texts).length).toBeGreaterThan(500);
    expect(texts["errors.offline"]).toEqual(expect.any(String));
    expect(texts["browse.tags.introOf"]).toContain("{1}");
    expect(texts["found.didYouMean"]).toContain("{meant}");
    // A text that chooses its words by a number cannot be written as one text.
    expect(english["library.videoCount"]).toBeUndefined();
    expect(english["home.resultsFor"]).toBe("Results for “{1}”");
  },
);

test("requires the placeholders", () => {
  const text = { id: "a.b", standard: "{1} of {all}", own: null };
  expect(placeholderProblem(text, "All: {all}, {1}")).toBeNull();
  expect(placeholderProblem(text, "All")).toBe("Keep {1}, {all}");
  expect(placeholderProblem(text, "{1} {2} {all}")).toBe("Remove {2}");
  const counted = { id: "format.views.one", standard: "# view", own: null };
  expect(placeholderProblem(counted, "one look")).toBe("Keep #");
  expect(placeholderProblem({ ...counted, id: "feed.less" }, "one look")).toBeNull();
});

test("preserves other texts, values and plain text when texts are replaced", () => {
  const texts = { title: "Title", of: (name: string) => `Of ${name}`, inner: { a: "A", b: "B" } };
  const own = { "g.of": "{1}: <b>$&</b>", "g.inner.b": "Own", "g.gone": "x", "h.title": "Other" };
  const replaced = replaceTexts(texts, own, "g") as typeof texts;
  expect(replaced.of("$1{1}")).toBe("$1{1}: <b>$&</b>");
  expect({ ...replaced, of: null }).toEqual({
    title: "Title",
    of: null,
    inner: { a: "A", b: "Own" },
  });
});
