import { nightlyEngineTests } from "../engines/engine-tests.ts";
import { describeEngine } from "../engines/support/engine-site.ts";

describeEngine("firefox", nightlyEngineTests);
describeEngine("webkit", nightlyEngineTests);
