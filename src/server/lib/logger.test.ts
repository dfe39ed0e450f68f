import { expect, test } from "vitest";
import { createLogger } from "./logger.ts";

/** Collects the lines that a logger writes. */
function collect() {
  const lines: string[] = [];
  const logger = createLogger("info", { write: (line: string) => void lines.push(line) });
  return { lines, logger };
}

test("logs only the listed fields of an error", () => {
  const { lines, logger } = collect();
  const cause = new AggregateError([new Error("one address")], "no address");
  const error = Object.assign(new Error("lost", { cause }), {
    code: "57P01",
    client: { connectionParameters: { password: "very secret" } },
    detail: "Key (email)=(someone@example.com) exists.",
  });
  logger.warn({ err: error }, "job queue");
  logger.warn({ err: { ...error, message: "spread" } }, "job queue");
  logger.warn({ err: "text" }, "job queue");
  expect(lines.join("")).not.toMatch(/secret|example\.com|client/);
  const [first, second, third] = lines.map((line) => JSON.parse(line) as Record<string, unknown>);
  expect(first?.["err"]).toEqual({
    type: "Error",
    message: "lost",
    code: "57P01",
    stack: expect.stringContaining("logger.test.ts"),
    cause: {
      type: "AggregateError",
      message: "no address",
      stack: expect.any(String),
      errors: ["Error: one address"],
    },
  });
  expect(second?.["err"]).toEqual({ type: "Object", message: "spread", code: "57P01" });
  expect(third?.["err"]).toBe("text");
});
