import { request as httpRequest } from "node:http";
import { z } from "zod";
import { beforeAll, expect, it } from "vitest";
import { plain, videoForm } from "#test/sample-videos.ts";
import { createClient, type TestApp, useTestApp } from "#test/app.ts";
import { countLockWaits } from "#test/harness/lock-waits.ts";

let cookie: string;
const app = useTestApp();
const other = useTestApp(() => ({ besides: app }));
beforeAll(async () => {
  cookie = await app.signIn();
});

const create = (site: TestApp, name: string, key: string, as = cookie) =>
  createClient(site.url, as).call("POST", "/api/tags", { name }, { "idempotency-key": key });
const tags = async () =>
  (await app.db.selectFrom("tags").select("name").execute()).map(({ name }) => name);

it("answers a repeated request with the first response, in every process", async () => {
  const key = "key-of-the-first-test";
  const first = await create(app, "Once", key);
  expect(first.status).toBe(201);
  for (const site of [app, other]) {
    const again = await create(site, "Once", key);
    expect([again.status, again.json]).toEqual([201, first.json]);
    expect(again.headers.get("idempotent-replayed")).toBe("true");
  }
  // Another key is another request, and a key belongs to its user and call.
  expect((await create(app, "Once", "key-of-another-press")).status).toBe(409);
  expect((await create(app, "Twice", key, await app.signIn())).status).toBe(201);
});

it("lets a second press wait for the first one's response", async () => {
  const [first, second] = await Promise.all([
    create(app, "Pressed twice", "key-of-a-double-press"),
    create(other, "Pressed twice", "key-of-a-double-press"),
  ]);
  expect(first.status).toBe(201);
  expect(second.json).toEqual(first.json);
});

it("runs a request again whose first attempt failed", async () => {
  const key = "key-of-a-failed-request";
  expect((await create(app, "", key)).status).toBe(400);
  expect((await create(app, "Second attempt", key)).status).toBe(201);
});

it("completes a request whose client left, and answers its repetition", async () => {
  const [headers, body] = [
    { "content-type": "application/json", "idempotency-key": "key-of-a-lost-answer", cookie },
    JSON.stringify({ name: "Lost answer" }),
  ];
  await app.db.transaction().execute(async (trx) => {
    // The handler waits for this transaction, and its client leaves in the meantime.
    await trx.insertInto("tags").values(rowOf("Lost answer")).execute();
    const sent = httpRequest(`${app.url}/api/tags`, { method: "POST", headers });
    sent.on("error", () => undefined);
    sent.end(body);
    await expect.poll(() => countLockWaits(app.db)).toBe(1);
    sent.destroy();
    await trx.deleteFrom("tags").where("slug", "=", "lost-answer").execute();
  });
  const again = await create(app, "Lost answer", "key-of-a-lost-answer");
  expect(again.status).toBe(201);
  expect((await tags()).filter((name) => name === "Lost answer")).toHaveLength(1);
});

it("takes over the key of a process that died, and refuses malformed keys", async () => {
  await create(app, "Before the crash", "key-of-a-dead-process");
  const dead = new Date(Date.now() - 60_000);
  await app.db
    .updateTable("idempotent_requests")
    .set({ status: null, body: null, claimed_at: dead })
    .execute();
  await app.db.deleteFrom("tags").where("name", "=", "Before the crash").execute();
  expect((await create(app, "Before the crash", "key-of-a-dead-process")).status).toBe(201);
  expect((await create(app, "Malformed", "short")).status).toBe(400);
  expect((await create(app, "Malformed", "ends with a space and more ")).status).toBe(400);
});

it("stores an upload once that the browser sends again", async () => {
  const send = async () => {
    const form = await videoForm(await plain(), { title: "Sent again" });
    const headers = { "idempotency-key": "key-of-an-upload" };
    return (await createClient(app.url, cookie).call("POST", "/api/videos", form, headers)).json;
  };
  const first = z.object({ id: z.uuid() }).parse(await send());
  expect(await send()).toMatchObject({ id: first.id });
  const count = app.db.selectFrom("videos").select("id").where("title", "=", "Sent again");
  expect(await count.execute()).toHaveLength(1);
});

function rowOf(name: string) {
  const slug = name.toLowerCase().replace(" ", "-");
  return { id: crypto.randomUUID(), name, folded_name: name.toLowerCase(), slug };
}
