import { expect, test } from "vitest";
import type { Companion } from "../vast/vast-ad.ts";
import { companionOffer, offerCompanions, takeCompanion } from "./companions.ts";

const companion = (widthPx: number, heightPx: number): Companion => ({
  widthPx,
  heightPx,
  resource: { kind: "image", url: "http://a/b.png" },
  altText: null,
  clickThrough: null,
  clickTracking: [],
  viewTracking: [],
});
const sizeOf = (one: Companion | null) => one && [one.widthPx, one.heightPx];

test("takes the largest companion that fits and that no other slot shows", () => {
  const end = offerCompanions("ad", [companion(300, 50), companion(728, 90), companion(300, 250)]);
  const { offer } = companionOffer.get();
  if (offer === null) throw new Error("no offer");
  const take = (widthPx: number, heightPx: number) =>
    sizeOf(takeCompanion(offer, widthPx, heightPx));
  expect(take(299, 400)).toBeNull();
  expect(take(970, 90)).toEqual([728, 90]);
  expect(take(970, 90)).toEqual([300, 50]);
  expect(take(300, 250)).toEqual([300, 250]);
  expect(take(4000, 4000)).toBeNull();
  end();
  expect(companionOffer.get().offer).toBeNull();
});

test("removes the companions of an ended ad, but not those of the next ad", () => {
  const shared = [companion(300, 250)];
  const endFirst = offerCompanions("one", shared);
  const first = companionOffer.get().offer;
  expect(first && sizeOf(takeCompanion(first, 300, 250))).toEqual([300, 250]);
  const endSecond = offerCompanions("two", shared);
  endFirst();
  const second = companionOffer.get().offer;
  expect(second?.adId).toBe("two");
  expect(second && sizeOf(takeCompanion(second, 300, 250))).toEqual([300, 250]);
  endSecond();
  offerCompanions("none", [])();
  expect(companionOffer.get().offer).toBeNull();
});
