import { testAds, testAttacks } from "./ads.ts";
import { testCut, testOffice } from "./back-office.ts";
import { testBusyFeed, testFeed } from "./feed.ts";
import { testOtherPages, testPages } from "./pages.ts";
import { testPlayback } from "./playback.ts";
import type { EngineSite } from "./support/engine-site.ts";
import { testMembers, testVisitors } from "./visitors.ts";

/** Tests that depend on the engine. Everything else is tested in Chromium alone. */
export const engineTests: readonly ((site: EngineSite) => void)[] = [
  testPages,
  testPlayback,
  // After about 20 videos in one WebKitGTK, the decoder may stop in this test, which seeks the most.
  testCut,
  testAds,
  testFeed,
  testVisitors,
  testMembers,
  testOffice,
];

/** Slow ones of these, for the nightly tier. */
export const nightlyEngineTests: typeof engineTests = [testAttacks, testBusyFeed, testOtherPages];
