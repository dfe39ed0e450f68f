import { coreTests } from "./core/core-tests.ts";
import { describeEngine } from "./support/engine-site.ts";

describeEngine("webkit", coreTests);
