import type { EngineSite } from "../support/engine-site.ts";
import { dialogTests } from "./dialogs.ts";
import { feedTests } from "./feed.ts";
import { officeTests } from "./office.ts";
import { pageTests } from "./pages.ts";
import { playbackTests } from "./playback.ts";
import { visitorTests } from "./visitors.ts";

/** Tests that must pass in every engine. */
export const coreTests: readonly ((site: EngineSite) => void)[] = [
  pageTests,
  dialogTests,
  feedTests,
  playbackTests,
  visitorTests,
  officeTests,
];
