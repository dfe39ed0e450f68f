import { expect, it } from "vitest";
import { makeVideo } from "#test/factories/make-video.ts";
import { createClient, useTestApp } from "#test/app.ts";
import { transferMax, transfersPerMinute } from "#contract/visitors/device-transfers.ts";
import { createTransfersService } from "./device-transfer.feature.ts";

const app = useTestApp({ env: { TRUST_PROXY: "127.0.0.1" } });

const send = (path: string, body: unknown, address: string) =>
  createClient(app.url).call("POST", path, body, { "x-forwarded-for": address });

it("returns the data for the code once, in any spelling of the code", async () => {
  const made = await send("/api/transfers", { data: '{"a":1}' }, "10.7.0.1");
  expect(made.status).toBe(201);
  const code: string = made.json.code;
  // 12 of 32 letters make 60 bits.
  expect(code).toMatch(/^[0-9A-HJKMNP-TV-Z]{12}$/);
  const typed = `${code.slice(0, 4)}-${code.slice(4, 8)} ${code.slice(8)}`
    .toLowerCase()
    .replace(/\d/g, (digit) => "۰۱۲۳۴۵۶۷۸۹"[Number(digit)] ?? digit);
  const claims = await Promise.all(
    [1, 2, 3].map(() => send("/api/transfers/claim", { code: typed }, "10.7.0.2")),
  );
  expect(claims.map(({ status }) => status).toSorted()).toEqual([200, 404, 404]);
  expect(claims.find(({ status }) => status === 200)?.json).toEqual({ data: '{"a":1}' });
});

it("forgets a code after ten minutes", async () => {
  let now = Date.now();
  const clock = { ...app.context.clock, now: () => now };
  const transfers = createTransfersService({
    db: app.db,
    clock,
  });
  const device = { addressKey: "10.7.1.1", addressGroup: "10.7.1", visitorId: null };
  const { code } = await transfers.create("{}", device);
  now += 10 * 60_000;
  const receiver = { addressKey: "10.7.1.1", visitorId: () => "" };
  await expect(transfers.claim(code, receiver)).rejects.toMatchObject({ code: "not_found" });
});

it("copies likes and favorites without counting a like again", async () => {
  const [liked, saved] = [await makeVideo(app.db, { likes: 0 }), await makeVideo(app.db)];
  const [own, other] = [createClient(app.url), createClient(app.url)];
  await own.call("POST", `/api/videos/${liked.id}/like`);
  await own.call("POST", `/api/videos/${saved.id}/favorite`);
  const made = await own.call("POST", "/api/transfers", { data: "{}" });
  await other.call("POST", "/api/transfers/claim", { code: made.json.code });
  const favorites = await other.call("GET", "/api/favorites");
  const ids = favorites.json.videos.map(({ id }: { id: string }) => id);
  expect(ids.toSorted()).toEqual([liked.id, saved.id].toSorted());
  const status = await other.call("GET", `/api/videos/${liked.id}/like`);
  expect(status.json).toEqual({ liked: false, likesCount: 1 });
});

it("lets one address guess a code ten times a minute", async () => {
  const statuses: number[] = [];
  for (let tries = 0; tries < 2 * transfersPerMinute + 1; tries += 1) {
    const { status } = await send("/api/transfers/claim", { code: "0000-0000-0000" }, "10.7.2.1");
    statuses.push(status);
  }
  // A new minute may have started during the calls.
  expect(statuses).toContain(429);
  expect(statuses.slice(0, transfersPerMinute)).toEqual(
    Array.from({ length: transfersPerMinute }, () => 404),
  );
});

it("stores only hashes of codes, and refuses transfers over the limit", async () => {
  const { status } = await send(
    "/api/transfers",
    { data: "x".repeat(transferMax + 1) },
    "10.7.3.1",
  );
  expect(status).toBe(400);
  const made = await send("/api/transfers", { data: "{}" }, "10.7.3.1");
  const row = await app.db
    .selectFrom("device_transfers" as never)
    .selectAll()
    .execute();
  expect(JSON.stringify(row)).not.toContain(made.json.code);
});

it("accepts the longest text in any script", async () => {
  const { status } = await send("/api/transfers", { data: "字".repeat(transferMax) }, "10.7.4.1");
  expect(status).toBe(201);
});

it("leaves room for others when one address group starts many transfers", async () => {
  const statuses: number[] = [];
  for (let host = 1; host <= 25; host += 1) {
    statuses.push((await send("/api/transfers", { data: "{}" }, `10.9.9.${host}`)).status);
  }
  expect(statuses).toEqual([...Array(20).fill(201), ...Array(5).fill(503)]);
  expect((await send("/api/transfers", { data: "{}" }, "10.9.10.1")).status).toBe(201);
});
