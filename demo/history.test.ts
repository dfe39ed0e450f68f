import { expect, it } from "vitest";
import { clips } from "./clips.ts";
import { planHistory, trendOf } from "./history.ts";

const now = new Date("2026-05-20T15:30:00Z");
const plan = {
  publishedAt: new Date("2026-05-01T09:00:00Z"),
  now,
  durationS: 30,
  views: 12_345,
  likeRate: 0.05,
  seed: "a clip",
};

it("adds up to exactly the given views and likes", () => {
  const hours = planHistory(plan);
  const sum = (key: "views" | "likes") => hours.reduce((total, hour) => total + hour[key], 0);
  expect(sum("views")).toBe(12_345);
  expect(sum("likes")).toBe(Math.round(12_345 * 0.05));
  expect(hours.every(({ views, engaged, completed }) => completed <= engaged && views >= 0)).toBe(
    true,
  );
  expect(Math.min(...hours.map(({ hour }) => hour.getTime()))).toBeGreaterThanOrEqual(
    plan.publishedAt.getTime(),
  );
  expect(Math.max(...hours.map(({ hour }) => hour.getTime()))).toBeLessThanOrEqual(now.getTime());
});

it("depends on the seed", () => {
  expect(planHistory(plan)).toEqual(planHistory(plan));
  expect(planHistory({ ...plan, seed: "another" })).not.toEqual(planHistory(plan));
});

it("has more views in the first days than in the last", () => {
  const hours = planHistory(plan);
  const firstWeek = hours.filter(({ hour }) => hour < new Date("2026-05-08T00:00:00Z"));
  const views = (list: typeof hours) => list.reduce((total, hour) => total + hour.views, 0);
  expect(views(firstWeek)).toBeGreaterThan(views(hours) / 2);
});

it("gives a higher trend to recent views", () => {
  const young = planHistory({ ...plan, publishedAt: new Date("2026-05-19T00:00:00Z") });
  expect(trendOf(young)).toBeGreaterThan(trendOf(planHistory(plan)));
  expect(trendOf([])).toBe(-Infinity);
});

it("has a catalogue of the promised size and shapes", () => {
  expect(clips.length).toBeGreaterThanOrEqual(20);
  expect(clips.length).toBeLessThanOrEqual(25);
  expect(new Set(clips.map(({ slug }) => slug)).size).toBe(clips.length);
  expect(new Set(clips.map(({ title }) => title)).size).toBe(clips.length);
  const tall = clips.filter(({ frame }) => frame.height > frame.width);
  expect(tall.length).toBeGreaterThanOrEqual(10);
  for (const { durationS, ageDays } of clips) {
    expect(durationS).toBeGreaterThanOrEqual(4);
    expect(durationS).toBeLessThanOrEqual(180);
    expect(ageDays).toBeLessThanOrEqual(90);
  }
});
