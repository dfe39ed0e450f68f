import { afterEach, expect, test } from "vitest";
import { logConsole, createLogger } from "./logger.ts";

const { warn, error } = console;
afterEach(() => {
  console.warn = warn;
  console.error = error;
});

test("writes each console message as one line of JSON without private fields", () => {
  const lines: string[] = [];
  logConsole(createLogger("info", { write: (line) => void lines.push(line) }));
  const failure = Object.assign(new Error("refused"), { client: { password: "hidden" } });
  console.warn("Popular tags failed", failure);
  console.error("Listing videos failed", failure);
  console.error(failure);
  expect(lines.map((line) => JSON.parse(line))).toEqual([
    expect.objectContaining({
      level: "warn",
      msg: "Popular tags failed",
      err: expect.objectContaining({ message: "refused" }),
    }),
    expect.objectContaining({ msg: "Listing videos failed" }),
    expect.objectContaining({ err: expect.objectContaining({ message: "refused" }) }),
  ]);
  expect(lines.join("")).not.toContain("hidden");
});
