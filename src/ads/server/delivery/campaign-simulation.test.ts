import { expect, test } from "vitest";
import { readHours } from "../../contract/campaign-hours.ts";
import {
  noCounts,
  campaignPace,
  suitsCampaign,
  createWeekHours,
  type CampaignRules,
} from "../rules/campaign-rules.ts";
import { chooseAds, groupWeight, type AdGroup } from "./draw-request.ts";

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
/** A Monday. */
const start = Date.UTC(2026, 4, 4);
const end = start + 7 * dayMs;

const allHours = createWeekHours(readHours([]), "UTC");

interface Simulated {
  rules: CampaignRules;
  ads: { weight: number; campaign: Simulated }[];
  /** Verified events, including reserved ones. */
  taken: { hour: number; day: number; impressions: number; viewable: number; clicks: number };
  shown: number;
  viewable: number;
  maxInHour: number;
  maxInDay: number;
  /** Impressions by the end of each day. */
  byDay: number[];
}

function campaign(id: string, values: Partial<CampaignRules>): Simulated {
  const rules: CampaignRules = {
    id,
    startsAtMs: start,
    endsAtMs: end,
    priority: "standard",
    goal: "none",
    goalAmount: null,
    paid: null,
    hasEvenPacing: true,
    hourlyCap: null,
    dailyCap: null,
    lifetimeCap: null,
    visitorDailyCap: null,
    rotation: "even",
    separation: null,
    hours: allHours,
    targetCategories: [],
    targetTags: [],
    targetDevices: [],
    targetLanguages: [],
    targetCountries: [],
    targetReferrals: [],
    ...values,
  };
  const counts = { shown: 0, viewable: 0, maxInHour: 0, maxInDay: 0 };
  const made: Simulated = { rules, ads: [], taken: { ...noCounts }, byDay: [], ...counts };
  made.ads = [1, 2, 3].map(() => ({ weight: 1, campaign: made }));
  return made;
}

/** Returns a generator of numbers from 0 to 1 that is the same in every run (mulberry32). */
function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

const groupOf = (
  at: Simulated,
  remaining: number,
  urgency: number | null,
): AdGroup<Simulated["ads"][0]> => ({
  remaining,
  weight: groupWeight(urgency, at.ads),
  ads: at.ads,
  priority: at.rules.priority,
  share: at.rules.goal === "share" ? at.rules.goalAmount : null,
  rotation: at.rules.rotation,
  separation: at.rules.separation,
});

test("respects pacing, caps, separation, shares and budgets over 1,000,000 requests in 7 days", () => {
  const random = seeded(19);
  const goals = {
    even: campaign("even", { goal: "impressions", goalAmount: 120_000, separation: "cars" }),
    rival: campaign("rival", { goal: "impressions", goalAmount: 60_000, separation: "cars" }),
    seen: campaign("seen", { goal: "viewable", goalAmount: 30_000, targetCountries: ["DE"] }),
    clicked: campaign("clicked", { goal: "clicks", goalAmount: 900 }),
    // 200.00 at 4.00 per 1,000 impressions.
    paid: campaign("paid", { paid: { measure: "impressions", count: 50_000 } }),
    office: campaign("office", {
      goal: "impressions",
      goalAmount: 40_000,
      hours: createWeekHours(readHours(["mon-fri 08-18"]), "UTC"),
    }),
  };
  const share = campaign("share", { priority: "sponsorship", goal: "share", goalAmount: 20 });
  const daily = campaign("daily", { dailyCap: 2000 });
  const hourly = campaign("hourly", { hourlyCap: 90 });
  const whole = campaign("whole", { lifetimeCap: 5000 });
  const house = campaign("house", { priority: "house" });
  const all = [...Object.values(goals), share, daily, hourly, whole, house];
  /** Delayed outcomes of impressions, in chronological order. */
  const later: { atMs: number; undo: () => void }[] = [];
  let undone = 0;
  let clashes = 0;
  let withShare = 0;
  let [hour, day] = [0, 0];

  const requests = 1_000_000;
  for (let at = 0; at < requests; at += 1) {
    const part = (at / requests) * 7;
    // Requests are three times as frequent at noon as at midnight.
    const nowMs = start + (part + Math.sin(2 * Math.PI * part) / (4 * Math.PI)) * dayMs;
    for (let next = later[undone]; next !== undefined && next.atMs <= nowMs; next = later[undone]) {
      next.undo();
      undone += 1;
    }
    if (Math.floor(nowMs / hourMs) !== hour) {
      hour = Math.floor(nowMs / hourMs);
      for (const { taken } of all) taken.hour = 0;
    }
    if (Math.floor(nowMs / dayMs) !== day) {
      if (day !== 0) for (const each of all) each.byDay.push(each.shown);
      day = Math.floor(nowMs / dayMs);
      for (const { taken } of all) taken.day = 0;
    }

    const country = random() < 0.5 ? "DE" : "US";
    const audience = { device: "phone" as const, languages: [], categories: [], tags: [], country };
    const groups: AdGroup<Simulated["ads"][0]>[] = [];
    for (const each of all) {
      if (!suitsCampaign(each.rules, audience, nowMs)) continue;
      const { remaining, urgency } = campaignPace(each.rules, each.taken, nowMs);
      if (remaining > 0) groups.push(groupOf(each, remaining, urgency));
    }
    const isFeed = at % 10 === 0;
    const chosen = chooseAds(groups, isFeed ? 5 : 1, new Set(), random);
    const words = chosen.flatMap((ad) => ad.campaign.rules.separation ?? []);
    if (new Set(words).size < words.length) clashes += 1;

    if (chosen.some((ad) => ad.campaign === share)) withShare += 1;

    for (const { campaign: of } of chosen) {
      const { taken } = of;
      const hourThen = hour;
      for (const measure of ["hour", "day", "impressions", "viewable"] as const)
        taken[measure] += 1;
      // One in ten is never shown, and four in ten are never viewable: reserved for 60 s.
      const isShown = random() < 0.9;
      const isViewable = isShown && random() < 0.6;
      if (!isShown || !isViewable) {
        later.push({
          atMs: nowMs + 60_000,
          undo() {
            if (!isViewable) taken.viewable -= 1;
            if (isShown) return;
            taken.impressions -= 1;
            if (hourThen === hour) taken.hour -= 1;
            if (Math.floor(hourThen / 24) === day) taken.day -= 1;
          },
        });
      }
      if (isShown) of.shown += 1;
      if (isViewable) of.viewable += 1;
      if (isShown && random() < 0.01) taken.clicks += 1;
      of.maxInHour = Math.max(of.maxInHour, taken.hour);
      of.maxInDay = Math.max(of.maxInDay, taken.day);
    }
  }

  expect(clashes).toBe(0);
  const reached = (value: number, goal: number) => Math.round((1000 * value) / goal) / 10;
  const percents = {
    even: reached(goals.even.shown, 120_000),
    rival: reached(goals.rival.shown, 60_000),
    seen: reached(goals.seen.viewable, 30_000),
    clicked: reached(goals.clicked.taken.clicks, 900),
    paid: reached(goals.paid.shown, 50_000),
    office: reached(goals.office.shown, 40_000),
  };
  for (const percent of Object.values(percents)) {
    expect(percent).toBeGreaterThanOrEqual(98);
    expect(percent).toBeLessThanOrEqual(102);
  }
  // At the end of each day, the expected share has been delivered.
  for (const [each, goal] of [
    [goals.even, 120_000],
    [goals.rival, 60_000],
    [goals.paid, 50_000],
  ] as const) {
    for (const [at, shown] of each.byDay.entries()) {
      expect(Math.abs(shown / goal - (at + 1) / 7)).toBeLessThan(0.03);
    }
  }
  expect(daily.maxInDay).toBe(2000);
  expect(hourly.maxInHour).toBe(90);
  expect(whole.taken.impressions).toBe(5000);
  expect(Math.abs(withShare / requests - 0.2)).toBeLessThan(0.01);
  // House ads get the remaining requests.
  expect(house.shown).toBeGreaterThan(100_000);
});

test.each([
  ["two halves", [50, 50], [0.5, 0.5], 0],
  ["a half beside a campaign without a share", [50, null], [0.5, 0.5], 0],
  ["more than the whole", [80, 80], [0.5, 0.5], 0],
  ["a fifth alone", [20], [0.2], 0.8],
  ["three of different size", [60, 30, null], [0.6, 0.3, 0.1], 0],
])("divides the requests of a priority by shares: %s", (_, shares, expected, empty) => {
  const random = seeded(11);
  const groups = shares.map((share, id): AdGroup<{ weight: number; id: number }> => ({
    priority: "standard",
    share,
    remaining: Infinity,
    // A campaign without a share may be far behind its pace.
    weight: 1000,
    rotation: "even",
    separation: null,
    ads: [{ weight: 1, id }],
  }));
  const counts = shares.map(() => 0);
  let without = 0;
  const draws = 20_000;
  for (let draw = 0; draw < draws; draw += 1) {
    const [ad] = chooseAds(groups, 1, new Set(), random);
    if (ad === undefined) without += 1;
    else counts[ad.id] = (counts[ad.id] ?? 0) + 1;
  }
  for (const [id, count] of counts.entries()) {
    expect(Math.abs(count / draws - (expected[id] ?? 0))).toBeLessThan(0.02);
  }
  expect(Math.abs(without / draws - empty)).toBeLessThan(0.02);
});

test("rotates a campaign's ads evenly or by weight, and shows none beside a competitor", () => {
  const random = seeded(3);
  const ads = [1, 3].map((weight) => ({ weight }));
  const group: AdGroup<(typeof ads)[0]> = {
    priority: "standard",
    share: null,
    remaining: Infinity,
    weight: 1,
    separation: "cars",
    rotation: "weight",
    ads,
  };
  const secondShare = (rotation: AdGroup<unknown>["rotation"]) => {
    let second = 0;
    for (let at = 0; at < 4000; at += 1) {
      if (chooseAds([{ ...group, rotation }], 1, new Set(), random)[0] === ads[1]) second += 1;
    }
    return second / 4000;
  };
  expect(Math.abs(secondShare("weight") - 0.75)).toBeLessThan(0.05);
  expect(Math.abs(secondShare("even") - 0.5)).toBeLessThan(0.05);
  expect(chooseAds([group], 5, new Set(), random)).toHaveLength(1);
  expect(chooseAds([group], 5, new Set(["cars"]), random)).toEqual([]);
});
