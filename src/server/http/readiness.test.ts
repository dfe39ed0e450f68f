import { expect, it, vi } from "vitest";
import { createLogger } from "../lib/logger.ts";
import { createReadiness } from "./readiness.ts";

it("checks again at once after losing a connection, and otherwise once a second", async () => {
  const logger = createLogger("silent");
  const check = vi.fn(() => Promise.resolve());
  let expire = () => {};
  const findReadiness = createReadiness(
    { database: check },
    () => false,
    logger,
    (given) => (expire = given),
  );
  expect(await findReadiness()).toEqual({ status: "ok", checks: { database: "ok" } });
  check.mockRejectedValue(new Error("gone"));
  expect((await findReadiness()).status).toBe("ok");
  expire();
  expect(await findReadiness()).toEqual({ status: "failing", checks: { database: "failing" } });
  expect(check).toHaveBeenCalledTimes(2);
});
