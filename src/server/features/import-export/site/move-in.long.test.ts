import { expect, it } from "vitest";
import { countsOf, moveIn } from "./move-in.fixture.ts";

it("loses and doubles nothing if it is killed and continued", async () => {
  const perSite = 6;
  const { again, counts, captions } = await moveIn({ perSite, kills: 3 });
  expect(counts).toEqual(countsOf(perSite, captions));
  expect(again).toMatchObject({ code: 0 });
  expect(again.stdout).toContain(`0 new, ${perSite} already here, 0 refused.`);
});
