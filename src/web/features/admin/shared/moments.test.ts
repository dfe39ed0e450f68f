import { afterEach, expect, it, vi } from "vitest";
import { localTimeNote } from "./moments.ts";

afterEach(() => vi.unstubAllEnvs());

it("says which time replaces one that the clocks skip", () => {
  vi.stubEnv("TZ", "Europe/Berlin");
  expect(localTimeNote("2027-03-28T02:30")).toBe(
    "The clocks go forward then, so 02:30 doesn't exist. 03:30 will be used.",
  );
  for (const typed of ["", "2027-03-28T01:59", "2027-03-28T03:00", "2027-10-31T02:30"]) {
    expect([typed, localTimeNote(typed)]).toEqual([typed, null]);
  }
});
