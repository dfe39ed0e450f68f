import { coreTests } from "./core/core-tests.ts";
import { officeAccessibilityTests } from "./core/office-accessibility.ts";
import { describeEngine } from "./support/engine-site.ts";

describeEngine("webkit", [...coreTests, officeAccessibilityTests]);
