import { expect, it } from "vitest";
import { countsOf, moveIn } from "./move-in.fixture.ts";

it("moves 200 videos in, killed at ten random moments", async () => {
  const perSite = 67;
  const { again, counts, captions } = await moveIn({ perSite, kills: 10 });
  expect(counts).toEqual(countsOf(perSite, captions));
  expect(again).toMatchObject({ code: 0 });
  expect(again.stdout).toContain(`0 new, ${perSite} already here, 0 refused.`);
});
