import { QueryClient } from "@tanstack/react-query";
import { afterEach, expect, it, vi } from "vitest";
import { auditQueryOf } from "./calls.ts";

afterEach(() => vi.unstubAllEnvs());

it("requests whole days in the browser's time zone, even when the clocks change", async () => {
  vi.stubEnv("TZ", "America/New_York");
  const send = vi
    .spyOn(globalThis, "fetch")
    .mockResolvedValue(Response.json({ entries: [], nextCursor: null }));
  const filter = { user: "", entity: "", topic: "", from: "2026-03-08", to: "2026-03-08" };
  await new QueryClient().fetchInfiniteQuery(auditQueryOf(filter));
  const [path] = send.mock.calls[0] ?? [];
  const { searchParams } = new URL(typeof path === "string" ? path : "", "http://localhost");
  expect([searchParams.get("from"), searchParams.get("to")]).toEqual([
    "2026-03-08T05:00:00.000Z",
    "2026-03-09T04:00:00.000Z",
  ]);
});
