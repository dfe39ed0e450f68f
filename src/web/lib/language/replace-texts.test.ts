import { expect, test } from "vitest";
import { replaceTexts } from "./replace-texts.ts";

test("replaces texts and preserves other texts and values", () => {
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
