import { expect, test } from "vitest";
import { dropUnfounded, type CountedEvent } from "./serve-events.repository.ts";

const event = (name: CountedEvent, serve = "1") => ({
  serve,
  adId: "0198aaaa-0000-7000-8000-000000000001",
  event: name,
  isRobot: false,
  atMs: 0,
});

test("drops events that follow a rejected event in the same batch", () => {
  const impression = event("impression");
  const later = [event("click"), event("start"), event("firstQuartile")];
  const other = event("click", "2");
  const selected = [impression, ...later, other];
  expect(dropUnfounded(selected, selected)).toEqual(selected);
  // The impression of the other serve was counted earlier.
  expect(dropUnfounded(selected, [...later, other])).toEqual([other]);
  const start = later[1];
  const withoutStart = selected.filter((each) => each !== start);
  expect(dropUnfounded(selected, withoutStart).map((each) => each.event)).toEqual([
    "impression",
    "click",
    "click",
  ]);
});
