import { expect, it } from "vitest";
import { inputOf, parseTimes, type SettingsForm } from "./settings-form.ts";

it("parses seconds and rejects invalid text", () => {
  expect(parseTimes("30, 90.5,")).toEqual([30, 90.5]);
  expect(parseTimes("  ")).toBeNull();
  expect(parseTimes("30, soon")).toBeUndefined();
  expect(parseTimes("-3")).toBeUndefined();
});

it("trims every value and sends empty ones as null", () => {
  const form: SettingsForm = {
    siteName: "  Lantern ",
    siteDescription: "   ",
    siteUrl: "",
    language: "de" as const,
    logoUrl: " https://x.test/l.png ",
    faviconUrl: "",
    accentColor: " #C2410C ",
    sourceUrl: "",
    securityContact: " mailto:a@x.test ",
    filterCategories: " One, , Two ",
    browseListings: false,
    evenLoudness: true,
    keepOriginals: false,
    efficientRenditions: "idle",
    crawlSearch: true,
    crawlAi: false,
    crawlOthers: true,
    mediaOnOtherSites: false,
    mediaWithoutOrigin: true,
    midrollTimes: "",
    trashDays: "30",
    adsTxt: " a.test, 1, DIRECT\n",
    appAdsTxt: " ",
    sellersJson: "",
    prerollMinVideoS: "45",
    breakGapS: "0",
    podMaxS: "20",
    timeZone: "Europe/Berlin",
    midrollEveryMin: "8",
    adOrigins: "https://a.test\n https://b.test, ",
    terms: "",
    privacy: " text ",
    contact: "",
  };
  expect(inputOf(form)).toEqual({
    siteName: "Lantern",
    siteDescription: null,
    siteUrl: null,
    language: "de",
    logoUrl: "https://x.test/l.png",
    faviconUrl: null,
    accentColor: "#C2410C",
    sourceUrl: null,
    securityContact: "mailto:a@x.test",
    filterCategories: ["One", "Two"],
    browseListings: false,
    evenLoudness: true,
    keepOriginals: false,
    efficientRenditions: "idle",
    crawlSearch: true,
    crawlAi: false,
    crawlOthers: true,
    mediaOnOtherSites: false,
    mediaWithoutOrigin: true,
    midrollTimes: null,
    trashDays: 30,
    adsTxt: "a.test, 1, DIRECT",
    appAdsTxt: null,
    sellersJson: null,
    prerollMinVideoS: 45,
    breakGapS: 0,
    podMaxS: 20,
    timeZone: "Europe/Berlin",
    midrollEveryMin: 8,
    adOrigins: ["https://a.test", "https://b.test"],
    terms: null,
    privacy: "text",
    contact: null,
  });
});
