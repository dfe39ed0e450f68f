import { test } from "vitest";
import { hasCommit, expectUpgradeFrom } from "./upgrade-run.ts";

const released = "17cb8a53";

test.skipIf(!hasCommit(released))(
  "loses nothing in an upgrade of a site of 0.2.0, and serves every page and call",
  { timeout: 2_400_000 },
  () => expectUpgradeFrom(released),
);
