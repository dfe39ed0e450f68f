import { expect, test } from "vitest";
import { emptyAdForm, hasDeliveryRules, readAdForm, type AdForm } from "./ad-form.ts";
import { toLocalInput } from "./form-values.ts";

const typed = (values: Partial<AdForm>): AdForm => ({
  ...emptyAdForm,
  title: "Sale",
  type: "banner",
  placement: "header",
  ...values,
});

test("requires a title, a type and a placement", () => {
  const reading = readAdForm(emptyAdForm, "UTC");
  expect(reading.ok ? [] : [...reading.problems.keys()]).toEqual(["title", "type", "placement"]);
});

test("sends empty fields as null or an empty list", () => {
  const reading = readAdForm(typed({}), "UTC");
  expect(reading.ok && reading.input).toMatchObject({
    title: "Sale",
    imageUrl: null,
    startDate: null,
    dailyLimit: null,
    targetCategories: [],
    isActive: true,
  });
});

test("omits a video URL if the type isn't video", () => {
  const reading = readAdForm(typed({ vastTagUrl: "https://example.com/a.mp4" }), "UTC");
  expect(reading.ok && reading.input.vastTagUrl).toBeNull();
});

test.each([
  [{ imageUrl: "nonsense" }, "imageUrl"],
  [{ linkUrl: "javascript:alert(1)" }, "linkUrl"],
  [{ type: "video", vastTagUrl: "nonsense" }, "vastTagUrl"],
  [{ startDate: "2026-05-02T10:00", endDate: "2026-05-01T10:00" }, "endDate"],
  [{ dailyLimit: "many" }, "dailyLimit"],
  [{ targetLanguages: "en, english" }, "targetLanguages"],
])("rejects %j with a message at the field %s", (values, field) => {
  const reading = readAdForm(typed(values), "UTC");
  expect(reading.ok ? [] : [...reading.problems.keys()]).toEqual([field]);
});

test("converts dates to and from the time zone of ads", () => {
  const iso = "2026-05-04T03:02:00.000Z";
  const startDate = toLocalInput(iso, "America/New_York");
  expect(startDate).toBe("2026-05-03T23:02");
  const reading = readAdForm(typed({ startDate }), "America/New_York");
  expect(reading.ok && reading.input.startDate).toBe(iso);
});

test("detects delivery rules that differ from the defaults", () => {
  expect(hasDeliveryRules(typed({}))).toBe(false);
  expect(hasDeliveryRules(typed({ dailyLimit: "5" }))).toBe(true);
});
