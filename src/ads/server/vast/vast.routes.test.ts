import { createSecretKey } from "node:crypto";
import { expect, test, vi } from "vitest";
import { createTestCore } from "#test/http-core.ts";
import { createVisitors } from "#server/http/access/visitors.ts";
import type { AdDelivery } from "../delivery/ad-delivery.service.ts";
import type { TagChain } from "./tag-chain.ts";
import { registerVastRoutes } from "./vast.routes.ts";

test("passes the page to the tag, only if it is one of this site", async () => {
  const { app } = createTestCore({ trustProxy: ["127.0.0.1"] });
  const followTag = vi.fn<TagChain>(async () => []);
  const row = { vast_tag_url: "https://network.test/tag" };
  registerVastRoutes(app, "/api/spots", {
    delivery: { findLive: async () => ({ row }) } as unknown as AdDelivery,
    visitors: createVisitors(createSecretKey(Buffer.from("secret"))),
    followTag,
    limiter: { take: () => {} },
  });
  const id = "019a0000-0000-7000-8000-000000000000";
  for (const referer of [
    "https://site.test/video/one?t=5",
    "https://site.test.evil.test/video/one",
    "http://site.test/",
    "nonsense",
    "",
  ]) {
    const headers = { host: "site.test", "x-forwarded-proto": "https", referer };
    await app.inject({ url: `/api/spots/${id}/documents`, headers });
  }
  await app.close();
  expect(followTag.mock.calls.map(([, , bounds]) => bounds?.pageUrl)).toEqual([
    "https://site.test/video/one?t=5",
    ...Array<undefined>(4).fill(undefined),
  ]);
});
