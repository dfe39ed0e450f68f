import { readFile } from "node:fs/promises";
import { beforeAll, expect, test, vi } from "vitest";
import { createClient, type TestApp, useTestApp } from "#test/app.ts";
import { plain } from "#test/sample-videos.ts";
import { newId } from "#server/lib/ids.ts";
import { createUploadLocks } from "./upload-locks.ts";

/** Two processes that share one database and one folder. */
let cookie: string;
const app = useTestApp();
const other = useTestApp(() => ({ besides: app }));
beforeAll(async () => {
  cookie = await app.signIn();
});

const tus = (
  at: TestApp,
  method: string,
  path: string,
  headers = {},
  body?: Uint8Array<ArrayBuffer>,
) =>
  fetch(at.url + path, {
    method,
    headers: { cookie, origin: at.url, "tus-resumable": "1.0.0", ...headers },
    ...(body === undefined ? {} : { body }),
  });

const sendPart = (at: TestApp, path: string, part: Uint8Array<ArrayBuffer>, offset: number) =>
  tus(
    at,
    "PATCH",
    path,
    { "content-type": "application/offset+octet-stream", "upload-offset": String(offset) },
    part,
  );

function sendForm(at: TestApp, uploadId: string) {
  const form = new FormData();
  form.set("title", "Sent in parts");
  form.set("uploadId", uploadId);
  return createClient(at.url, cookie).call("POST", "/api/videos", form);
}

test("accepts parts and forms of one upload in different processes", async () => {
  const bytes = new Uint8Array(await readFile(await plain()));
  const created = await tus(app, "POST", "/api/uploads", { "upload-length": `${bytes.length}` });
  const path = created.headers.get("location") ?? "";
  const half = Math.floor(bytes.length / 2);
  expect((await sendPart(other, path, bytes.slice(0, half), 0)).status).toBe(204);
  const seen = await tus(app, "HEAD", path);
  expect(seen.headers.get("upload-offset")).toBe(String(half));

  // The same part is sent twice at the same time but written only once.
  const statuses = await Promise.all(
    [app, other].map(async (at) => (await sendPart(at, path, bytes.slice(half), half)).status),
  );
  expect(statuses.toSorted()).toEqual([204, 409]);

  const id = path.split("/").at(-1) ?? "";
  const forms = await Promise.all([app, other, other, app].map((at) => sendForm(at, id)));
  expect(forms.map(({ status }) => status)).toEqual([201, 201, 201, 201]);
  for (const { json } of forms) expect(json.id).toBe(id);
  const stored = await app.context.storage.readBytes(`sources/${id}`, 10_000_000);
  expect(stored.equals(bytes)).toBe(true);
  const { rows } = await app.database.pool.query("select count(*) from upload_locks");
  expect(rows).toEqual([{ count: 0 }]);
});

test("asks the holder of a lock to release it for a waiting request", async () => {
  const id = newId();
  const onWanted = vi.fn();
  const [here, there] = [createUploadLocks(app.context.db), createUploadLocks(other.context.db)];
  const release = await here.acquire(id, { onWanted });
  let hasOther = false;
  const waiting = there.acquire(id).then((end) => {
    hasOther = true;
    return end;
  });
  await expect.poll(() => onWanted.mock.calls.length).toBe(1);
  expect(hasOther).toBe(false);
  await release();
  await (
    await waiting
  )();
});

test("stops waiting after a timeout or when the client disconnects", async () => {
  const id = newId();
  const locks = createUploadLocks(app.context.db, 200);
  const release = await locks.acquire(id);
  await expect(locks.acquire(id)).rejects.toThrow(
    "Another request is still writing to this upload.",
  );
  const left = createUploadLocks(app.context.db).acquire(id, { signal: AbortSignal.abort() });
  await expect(left).rejects.toMatchObject({ code: "unavailable", retryAfterS: 5 });
  await release();
});

test("frees a dead process's lock when it expires", async () => {
  const id = newId();
  const { db } = app.context;
  const locks = createUploadLocks(db);
  const insert = (at: Date) =>
    db
      .insertInto("upload_locks")
      .values({ upload_id: id, holder: "a dead process", expires_at: at })
      .execute();
  await insert(new Date(Date.now() - 1000));
  await (
    await locks.acquire(id)
  )();
  await insert(new Date(Date.now() - 1000));
  await locks.sweep();
  expect(await db.selectFrom("upload_locks").selectAll().execute()).toEqual([]);
});
