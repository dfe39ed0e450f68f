import { expect, test } from "vitest";
import { publicAd } from "./public-ad.fixture.ts";
import { orderByChance, pickAd } from "./pick-ad.ts";

const ads = [publicAd({ id: "a", weight: 1 }), publicAd({ id: "b", weight: 3 })];

test.each([
  [0, "a"],
  [0.24, "a"],
  [0.25, "b"],
  [0.999, "b"],
])("a random number of %s picks %s", (random, id) => {
  expect(pickAd(ads, () => random)?.id).toBe(id);
});

test("substitutes without weight follow the picked ad in their order", () => {
  const drawn = [
    publicAd({ id: "x", weight: 0 }),
    publicAd({ id: "pick", weight: 1 }),
    publicAd({ id: "y", weight: 0 }),
  ];
  expect(orderByChance(drawn, Math.random).map(({ id }) => id)).toEqual(["pick", "x", "y"]);
  expect(pickAd([], Math.random)).toBeNull();
});
