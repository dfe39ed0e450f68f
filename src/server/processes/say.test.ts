import { spawn } from "node:child_process";
import { once } from "node:events";
import { expect, it, vi } from "vitest";
import { readConfig } from "../config.ts";
import { createLogger } from "../lib/logger.ts";
import { createSay, logWarnings } from "./say.ts";

it("keeps running after the program that reads its output has ended", async () => {
  const script = `
    import { outliveReaders, say } from ${JSON.stringify(new URL("say.ts", import.meta.url).href)};
    outliveReaders();
    process.stdin.once("data", () => {
      say("without a reader");
      setImmediate(() => process.exit(7));
    });`;
  const child = spawn(process.execPath, ["--input-type=module", "-e", script], {
    stdio: ["pipe", "pipe", "ignore"],
  });
  child.stdout.destroy();
  child.stdin.end("go");
  expect(await once(child, "exit")).toEqual([7, null]);
});

it("logs the warnings of Node.js instead of printing them", async () => {
  const before = process.listeners("warning");
  const logger = createLogger("silent");
  const warn = vi.spyOn(logger, "warn");
  try {
    logWarnings(logger);
    process.emitWarning("modes of TLS will change", "SecurityWarning");
    await vi.waitFor(() => expect(warn).toHaveBeenCalled(), 30_000);
  } finally {
    process.removeAllListeners("warning");
    for (const listener of before) process.on("warning", listener);
  }
  expect(warn.mock.calls).toEqual([[{ name: "SecurityWarning" }, "modes of TLS will change"]]);
});

it("prints plain lines in development", () => {
  const write = vi.spyOn(process.stdout, "write").mockReturnValue(true);
  createSay(readConfig({ NODE_ENV: "development" }))("ready");
  expect(write).toHaveBeenCalledWith("ready\n");
  vi.restoreAllMocks();
});
