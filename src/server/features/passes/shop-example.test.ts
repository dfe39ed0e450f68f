import { spawn, type ChildProcess } from "node:child_process";
import { createHmac } from "node:crypto";
import { once } from "node:events";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { confirmSession, useClient, useTestApp } from "#test/app.ts";
import { findFreePort } from "#test/harness/server-process.ts";
import { makeFolder } from "#test/shared.ts";

const app = useTestApp();
const owner = useClient(app, "OWNER");
const shopSecret = "secret of the shop";
let shop: ChildProcess;
let url = "";

beforeAll(async () => {
  await confirmSession(owner);
  const body = { name: "Shop", scopes: ["passes.edit"] };
  const { json } = await owner.call("POST", "/api/account/tokens", body);
  const text = await readFile(new URL("../../../../docs/members.md", import.meta.url), "utf8");
  const [, program = ""] = /```js\n(.*?)```/s.exec(text) ?? [];
  const path = join(makeFolder("shop"), "shop.mjs");
  await writeFile(path, program);
  const port = await findFreePort();
  url = `http://127.0.0.1:${port}`;
  shop = spawn(process.execPath, [path], {
    env: {
      ...process.env,
      SITE_URL: app.url,
      KINORA_TOKEN: json.token,
      SHOP_SECRET: shopSecret,
      PORT: String(port),
    },
    stdio: ["ignore", "pipe", "inherit"],
  });
  if (shop.stdout !== null) await once(shop.stdout, "data");
});
afterAll(() => {
  shop.kill();
});

async function tell(message: object, secret = shopSecret) {
  const body = JSON.stringify(message);
  const signature = createHmac("sha256", secret).update(body).digest("hex");
  const headers = { "x-shop-signature": signature };
  const response = await fetch(url, { method: "POST", body, headers });
  return { status: response.status, text: await response.text() };
}

it("creates one pass for an order, however often the shop repeats its call, and revokes it", async () => {
  const order = { id: "order-1001", email: "ada@example.org" };
  const paid = await tell({ event: "order.paid", order });
  expect(paid.status).toBe(200);
  expect(JSON.parse(paid.text).link).toMatch(/\/pass#[0-9A-Z-]{24}$/);
  expect(await tell({ event: "order.paid", order })).toEqual(paid);

  const state = async () =>
    (await owner.call("GET", "/api/admin/passes?search=order-1001")).json.passes.map(
      (pass: { state: string }) => pass.state,
    );
  expect(await state()).toEqual(["active"]);
  expect((await tell({ event: "order.refunded", order })).status).toBe(200);
  expect(await state()).toEqual(["revoked"]);
  expect((await tell({ event: "order.paid", order: { ...order, id: "x" } }, "forged")).status).toBe(
    401,
  );
});

it("revokes the pass of a short order number among newer passes that contain it", async () => {
  const order = { id: "7", email: "ada@example.org" };
  expect((await tell({ event: "order.refunded", order })).status).toBe(503);
  await tell({ event: "order.paid", order });
  for (let at = 0; at < 10; at += 1) {
    const newer = { days: 30, reference: `7${at}`, note: "7" };
    expect((await owner.call("POST", "/api/admin/passes", newer)).status).toBe(201);
  }
  expect((await tell({ event: "order.refunded", order })).status).toBe(200);
  const stateOf = async (reference: string) =>
    (await owner.call("GET", `/api/admin/passes?reference=${reference}`)).json.passes.map(
      (pass: { state: string }) => pass.state,
    );
  expect(await stateOf("7")).toEqual(["revoked"]);
  expect(await stateOf("70")).toEqual(["active"]);
});

it("extends a pass once for a renewal, however often and late the shop repeats its call", async () => {
  const order = { id: "order-1002", email: "ada@example.org" };
  const { link } = JSON.parse((await tell({ event: "order.paid", order })).text);
  const findEnd = async () => {
    const { json } = await owner.call("GET", `/api/admin/passes?reference=${order.id}`);
    return json.passes.map((pass: { validUntil: string }) => pass.validUntil);
  };
  const inDays = (days: number) => new Date(Date.now() + days * 24 * 3_600_000).toISOString();
  const [first, second] = [inDays(60), inDays(90)];
  for (const [paidUntil, expected] of [
    [first, first],
    [first, first],
    [second, second],
    [first, second],
  ]) {
    const { status, text } = await tell({ event: "order.renewed", order: { ...order, paidUntil } });
    expect({ status, link: JSON.parse(text).link }).toEqual({ status: 200, link });
    expect(await findEnd()).toEqual([expected]);
  }
});
