import { afterEach } from "vitest";
import { printPages } from "./browser.ts";

// A time-out only says what a test waited for. What the pages showed instead tells why.
afterEach(({ task }) => (task.result?.state === "fail" ? printPages() : undefined));
