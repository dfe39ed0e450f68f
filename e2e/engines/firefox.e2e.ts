import { engineTests } from "./engine-tests.ts";
import { describeEngine } from "./support/engine-site.ts";

describeEngine("firefox", engineTests);
