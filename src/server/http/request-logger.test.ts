import { expect, test } from "vitest";
import { createLogger } from "../lib/logger.ts";
import { createRequestLogger } from "./request-logger.ts";

test("lines of a request name it, and levels below that of the site are left out", () => {
  const lines: unknown[] = [];
  const site = createLogger("info", { write: (line) => void lines.push(JSON.parse(line)) });
  const log = createRequestLogger(site, { requestId: "r1" });
  expect(log.level).toBe("info");
  log.debug({ hidden: true }, "not written");
  log.info({ url: "/a" }, "request");
  log.error({ err: new Error("broken") }, "failed");
  log.child({ step: 2 }).warn("slow");
  expect(lines).toMatchObject([
    { level: "info", requestId: "r1", url: "/a", msg: "request" },
    { level: "error", requestId: "r1", err: { message: "broken" }, msg: "failed" },
    { level: "warn", requestId: "r1", step: 2, msg: "slow" },
  ]);
});
