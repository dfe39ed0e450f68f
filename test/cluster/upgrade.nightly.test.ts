import { test } from "vitest";
import { hasCommit, expectUpgradeFrom } from "./upgrade-run.ts";

/** The last state before the migrations of 1.0.0. */
const unreleased = "dc5eef8f";

test.skipIf(!hasCommit(unreleased))(
  "loses nothing in an upgrade of a site of the state before 1.0.0, and serves every page and call",
  { timeout: 2_400_000 },
  () => expectUpgradeFrom(unreleased),
);
