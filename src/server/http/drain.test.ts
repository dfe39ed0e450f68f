import { expect, test } from "vitest";
import { createClient, useTestApp } from "#test/app.ts";

const app = useTestApp();

test("closes connections after each response before a stop, and reports the stop at /readyz", async () => {
  const client = createClient(app.url);
  const paths = ["/api/videos", "/api/videos", "/healthz"];
  const statusOf = async (path: string) => {
    const { status, headers } = await client.call("GET", path);
    return `${status} ${headers.get("connection")}`;
  };
  for (const path of paths) expect(await statusOf(path)).toBe("200 keep-alive");
  app.context.http.drain();
  // The second response of an address comes from the cache.
  for (const path of paths) expect(await statusOf(path)).toBe("200 close");
  const ready = await client.call("GET", "/readyz");
  expect([ready.status, ready.json]).toEqual([503, { status: "stopping" }]);
});
