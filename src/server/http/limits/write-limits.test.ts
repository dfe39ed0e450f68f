import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { createClient, useTestApp } from "#test/app.ts";
import { makeVideo } from "#test/factories/make-video.ts";
import { writesPerAddress, writesPerVisitor } from "./write-limits.ts";

let path: string;
let callsPath: string;
const app = useTestApp({ env: { TRUST_PROXY: "127.0.0.1" } });
beforeEach(async () => {
  const video = await makeVideo(app.db);
  callsPath = `/api/videos/${video.id}`;
  path = `${callsPath}/like`;
});
afterEach(() => vi.restoreAllMocks());

const from = (address: string) => ({ "x-forwarded-for": address });

it("accepts 100 writes in a minute from one address by different visitors, as from an office", async () => {
  for (let n = 0; n < 100; n += 1) {
    const response = await createClient(app.url).call("POST", path, undefined, from("192.0.2.1"));
    expect(response.status).toBe(200);
  }
  const { json } = await createClient(app.url).call("GET", path);
  expect(json.likesCount).toBe(100);
});

it("refuses a flood of writes with 429 and Retry-After, stores none of it and accepts writes again after a minute", async () => {
  const client = createClient(app.url);
  expect((await client.call("POST", path)).status).toBe(200);
  const statuses: number[] = [];
  for (let n = 0; n < writesPerVisitor + 9; n += 1) {
    // Uses another address each time, so that only the visitor's limit applies.
    const response = await client.call("POST", path, undefined, from(`198.51.100.${n % 250}`));
    statuses.push(response.status);
    if (response.status !== 429) continue;
    expect(response.json.code).toBe("rate_limited");
    expect(Number(response.headers.get("retry-after"))).toBeLessThanOrEqual(60);
    expect(Number(response.headers.get("retry-after"))).toBeGreaterThan(0);
  }
  expect(statuses.filter((status) => status === 200)).toHaveLength(writesPerVisitor);
  expect(statuses.slice(-9)).toEqual(Array.from({ length: 9 }, () => 429));
  const likes = await createClient(app.url).call("GET", path);
  // The successful calls toggled the like an odd and then an even number of times.
  expect(likes.json.likesCount).toBe((writesPerVisitor + 1) % 2);
  const now = Date.now();
  vi.spyOn(Date, "now").mockReturnValue(now + 61_000);
  expect((await client.call("POST", path)).status).toBe(200);
});

it("limits an address without cookies, counts an IPv6 network as one address with any port, and doesn't limit reads", async () => {
  const address = (n: number) => from(`2001:db8:1:2::${n.toString(16)}`);
  const calls = ["/like", "/watch", "/favorite"].map((call) => `${callsPath}${call}`);
  for (let n = 0; n < writesPerAddress; n += 1) {
    // Invalid, but counted before validation.
    await app.context.http.app.inject({
      method: "POST",
      url: `${callsPath}/watch`,
      headers: { ...address(n) },
      payload: {},
    });
  }
  const id = callsPath.split("/").at(-1);
  const ads = ["impression", "click", "event"].map((call) => `/api/ads/${id}/${call}`);
  for (const url of [...calls, ...ads, "/api/visits", "/api/auth/signin", "/api/auth/setup"]) {
    const { status } = await createClient(app.url).call("POST", url, {}, address(7));
    expect({ url, status }).toEqual({ url, status: 429 });
  }
  const ports = ["[2001:db8:1:2::7]:51234", "[2001:db8:1:2::8]:51235, 127.0.0.1:443"];
  for (const withPort of ports) {
    const { status } = await createClient(app.url).call("POST", path, {}, from(withPort));
    expect([withPort, status]).toEqual([withPort, 429]);
  }
  const read = await createClient(app.url).call("GET", path, undefined, address(7));
  expect(read.status).toBe(200);
  const other = from("2001:db8:1:3::1");
  expect((await createClient(app.url).call("POST", path, undefined, other)).status).toBe(200);
});
