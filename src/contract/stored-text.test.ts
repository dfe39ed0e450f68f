import { expect, it } from "vitest";
import { accountPatch } from "./account.ts";

it("names with half of a surrogate pair are refused, since the audit log cannot hold them", () => {
  expect(accountPatch.safeParse({ name: "\ude54" }).success).toBe(false);
  expect(accountPatch.safeParse({ name: "🎬 東京" }).success).toBe(true);
});
