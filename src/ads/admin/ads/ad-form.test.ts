import { expect, test } from "vitest";
import { emptyAdForm, hasDeliveryRules, readAdForm, type AdForm } from "./ad-form.ts";
import { campaignOf } from "../campaigns/campaign.fixture.ts";
import {
  campaignForm,
  emptyCampaignForm,
  readCampaignForm,
  type CampaignForm,
} from "../campaigns/campaign-form.ts";
import { dateHint, languageHint, toLocalInput } from "./form-values.ts";

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
  [{ dailyLimit: "100.000" }, "dailyLimit"],
  [{ totalLimit: "1e3" }, "totalLimit"],
  [{ weight: "0x10" }, "weight"],
  [{ targetLanguages: "en, elvish" }, "targetLanguages"],
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

test("says in the hint of a date which time replaces one that the clocks skip", () => {
  const zone = "America/New_York";
  expect(dateHint("2027-03-14T02:15", zone)).toContain("02:15 doesn't exist. 03:15 will be used.");
  for (const typed of ["", "2027-03-14T03:00", "2027-03-28T02:30", "2027-11-07T01:30"]) {
    expect([typed, dateHint(typed, zone)]).toEqual([typed, "America/New_York time"]);
  }
});

test("returns the exact stored dates unless they are edited", () => {
  const zone = "America/New_York";
  // 01:30 occurs twice on this day, and the stored start is the second one.
  const stored = { startDate: "2026-11-01T06:30:45.000Z", endDate: "2026-11-05T12:00:59.999Z" };
  const form = typed({
    startDate: toLocalInput(stored.startDate, zone),
    endDate: toLocalInput(stored.endDate, zone),
  });
  const datesOf = (values: Partial<AdForm>) => {
    const reading = readAdForm({ ...form, ...values }, zone, stored);
    return reading.ok && [reading.input.startDate, reading.input.endDate];
  };
  expect(datesOf({})).toEqual([stored.startDate, stored.endDate]);
  expect(datesOf({ startDate: "2026-11-01T00:30", endDate: "" })).toEqual([
    "2026-11-01T04:30:00.000Z",
    null,
  ]);
  const campaign = readCampaignForm(
    {
      ...emptyCampaignForm,
      startDate: form.startDate,
      endDate: form.endDate,
      advertiserId: "0198aaaa-0000-7000-8000-000000000001",
      name: "Autumn",
    },
    zone,
    stored,
  );
  expect(campaign.ok && campaign.input).toMatchObject(stored);
});

const typedCampaign = (values: Partial<CampaignForm>) =>
  readCampaignForm(
    {
      ...emptyCampaignForm,
      advertiserId: "0198aaaa-0000-7000-8000-000000000001",
      name: "Autumn",
      goal: "impressions",
      goalAmount: "1000",
      priceModel: "cpm",
      price: "2",
      ...values,
    },
    "UTC",
  );

test.each([
  ["2,50", 2.5],
  [" 2.5 ", 2.5],
  ["1000", 1000],
  ["0,125", 0.125],
  ["1.1250", 1.125],
])("reads the price %j of a campaign", (price, amount) => {
  const reading = typedCampaign({ price });
  expect(reading.ok && reading.input.price).toBe(amount);
});

test.each([
  [{ price: "1.000" }, "price", "The price must be a number such as 1000 or 2.50"],
  [{ budget: "10,000" }, "budget", "The budget must be a number such as 1000 or 2.50"],
  [{ price: "1.000,50" }, "price", "The price must be a number such as 1000 or 2.50"],
  [{ goalAmount: "100.000" }, "goalAmount", "The goal must be a whole number"],
  [{ hourlyCap: "1,000" }, "hourlyCap", "The cap per hour must be a whole number"],
])("refuses %j, which may be meant in two ways", (values, field, message) => {
  const reading = typedCampaign(values);
  expect(reading.ok ? [] : [...reading.problems]).toEqual([[field, message]]);
});

test("shows amounts so that they can be saved without changes", () => {
  for (const price of [2, 2.5, 1.125, 0.125, 0.0001]) {
    const reading = typedCampaign({
      ...campaignForm(campaignOf({ price }), "UTC"),
      priceModel: "cpm",
    });
    expect(reading.ok && reading.input.price).toBe(price);
  }
});

test("sends the codes of languages that were typed as names", () => {
  const reading = readAdForm(typed({ targetLanguages: "German, pt-br, Hebrew" }), "UTC");
  expect(reading.ok && reading.input.targetLanguages).toEqual(["de", "pt-br", "he"]);
});

test("detects delivery rules that differ from the defaults", () => {
  expect(hasDeliveryRules(typed({}))).toBe(false);
  expect(hasDeliveryRules(typed({ dailyLimit: "5" }))).toBe(true);
});

test.each([
  ["", "Names or codes, such as German or pt-br"],
  ["de, pt-br", "German, Brazilian Portuguese"],
  ["german, Japanese", "German, Japanese"],
  ["elvish", "elvish?"],
  ["d", "d?"],
])("names the languages of %j", (value, hint) => {
  expect(languageHint(value)).toBe(hint);
});
