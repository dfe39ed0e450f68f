import {
  chmod,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rm,
  stat,
  symlink,
  utimes,
  writeFile,
} from "node:fs/promises";
import path from "node:path";
import { beforeAll, expect, test, vi } from "vitest";
import { useTestApp } from "#test/app.ts";
import { openConnection, sendRaw } from "#test/raw-request.ts";
import { ensureDataFolder } from "#server/lib/data-folder.ts";
import { newId } from "#server/lib/ids.ts";
import { createLocalStorage } from "#server/storage/local.storage.ts";
import { ensurePrivateFolder, makeFilesPrivate } from "#server/storage/private-folder.ts";
import {
  createUploadReservations,
  maxOpenUploads,
  type OpenUpload,
} from "./upload-reservations.ts";
import { makeFolder } from "#test/shared.ts";

let folder = "";
const app = useTestApp();
beforeAll(async () => {
  folder = makeFolder("uploads");
});

const modeOf = async (file: string): Promise<number> => (await stat(file)).mode & 0o777;

function createUpload(cookie: string, headers: Record<string, string>): Promise<Response> {
  return fetch(`${app.url}/api/uploads`, {
    method: "POST",
    headers: { cookie, origin: app.url, "tus-resumable": "1.0.0", ...headers },
  });
}

function callUpload(
  method: string,
  cookie: string,
  location: string,
  body?: string,
): Promise<Response> {
  return fetch(new URL(location, `${app.url}/api/uploads`), {
    method,
    headers: {
      cookie,
      origin: app.url,
      "tus-resumable": "1.0.0",
      "upload-offset": "0",
      "content-type": "application/offset+octet-stream",
    },
    ...(body === undefined ? {} : { body }),
  });
}

/** Sends the first part of an upload. */
const sendPart = (cookie: string, location: string, body: string) =>
  callUpload("PATCH", cookie, location, body);

test("makes uploads and their folders readable only for the server's user", async () => {
  const created = await createUpload(await app.signIn(), { "upload-length": "1000" });
  expect(created.status).toBe(201);
  const uploads = path.join(app.dataDir, "uploads");
  for (const name of ["uploads", "media-work", "storage", "storage/objects", "storage/scratch"]) {
    expect([name, await modeOf(path.join(app.dataDir, name))]).toEqual([name, 0o700]);
  }
  const names = await readdir(uploads);
  expect(names).toHaveLength(2);
  for (const name of names) expect(await modeOf(path.join(uploads, name))).toBe(0o600);
});

test("corrects the permissions of folders and files from earlier versions at the start", async () => {
  const at = path.join(folder, "old");
  await mkdir(at, { mode: 0o755 });
  await writeFile(path.join(at, "upload"), "x", { mode: 0o644 });
  await chmod(at, 0o755);
  ensurePrivateFolder(at);
  makeFilesPrivate(at);
  expect([await modeOf(at), await modeOf(path.join(at, "upload"))]).toEqual([0o700, 0o600]);
});

test.each(["022", "027", "077"])(
  "lets a proxy read public objects but not originals with umask %s",
  async (umask) => {
    const dataDir = path.join(folder, `proxied-${umask}`);
    const before = process.umask(umask);
    try {
      // Folders of an earlier version.
      await mkdir(path.join(dataDir, "storage/objects/v/old/step"), { recursive: true });
      await ensureDataFolder(dataDir, { isProxied: true });
      const root = path.join(dataDir, "storage");
      const storage = createLocalStorage({ root, isProxied: true });
      await storage.putBytes("v/token/step/a.mp4", "public");
      await storage.putBytes("public/site/logo.png", "public");
      await storage.putBytes("sources/id", "private");
    } finally {
      process.umask(before);
    }
    const passable = [
      ...["", "storage", "storage/objects", "storage/objects/v", "storage/objects/v/old"],
      ...["v/old/step", "v/token", "v/token/step", "public", "public/site"].map(
        (name) => `storage/objects/${name}`,
      ),
    ];
    for (const name of passable) {
      expect([name, (await modeOf(path.join(dataDir, name))) & 0o011]).toEqual([name, 0o011]);
    }
    for (const [name, mode] of [
      ["objects/v/token/step/a.mp4", 0o644],
      ["objects/public/site/logo.png", 0o644],
      ["objects/sources", 0o700],
      ["objects/sources/id", 0o600],
      ["scratch", 0o700],
    ] as const) {
      expect([name, await modeOf(path.join(dataDir, "storage", name))]).toEqual([name, mode]);
    }
  },
);

test("ignores a second video in a form", async () => {
  const form = new FormData();
  form.set("title", "Twice");
  for (const name of ["a.mp4", "b.mp4"]) form.append("video", new Blob(["no video"]), name);
  const headers = { cookie: await app.signIn(), origin: app.url };
  const refused = await fetch(`${app.url}/api/videos`, { method: "POST", headers, body: form });
  expect([refused.status, (await refused.json()).code]).toEqual([415, "unsupported_media"]);
});

test("refuses metadata that the database can't store", async () => {
  const headers = { "upload-length": "9", "upload-metadata": `filename ${btoa("a\0b")}` };
  const refused = await createUpload(await app.signIn(), headers);
  expect(refused.status).toBe(400);
  expect(await refused.json()).toMatchObject({ code: "invalid" });
});

test("limits an account to 20 open uploads", async () => {
  const admin = await app.signIn();
  const created = await Promise.all(
    Array.from({ length: maxOpenUploads + 3 }, () => createUpload(admin, { "upload-length": "9" })),
  );
  expect(created.filter(({ status }) => status === 201)).toHaveLength(maxOpenUploads);
  const refused = created.filter(({ status }) => status === 429);
  expect(refused).toHaveLength(3);
  expect(refused[0]?.headers.get("retry-after")).toBe("60");
  expect(await refused[0]?.json()).toMatchObject({ code: "rate_limited" });
  // Another account has its own limit, and the end of one upload allows the next.
  expect((await createUpload(await app.signIn(), { "upload-length": "9" })).status).toBe(201);
  const location = created.find(({ status }) => status === 201)?.headers.get("location") ?? "";
  const ended = await fetch(new URL(location, `${app.url}/api/uploads`), {
    method: "DELETE",
    headers: { cookie: admin, origin: app.url, "tus-resumable": "1.0.0" },
  });
  expect(ended.status).toBe(204);
  expect((await createUpload(admin, { "upload-length": "9" })).status).toBe(201);
});

test("refuses a declared length with storage_full if it doesn't fit", async () => {
  vi.spyOn(app.context.storage, "findFreeBytes").mockResolvedValue(1_000_000);
  const admin = await app.signIn();
  const refused = await createUpload(admin, { "upload-length": "500001" });
  expect(refused.status).toBe(507);
  expect(await refused.json()).toMatchObject({
    code: "storage_full",
    message: "Storage is full. Free up some space and try again.",
    requestId: expect.any(String),
  });
});

test("refuses an upload without a length", async () => {
  const refused = await createUpload(await app.signIn(), { "upload-defer-length": "1" });
  expect(refused.status).toBe(400);
});

test("reports a part that is longer than the announced rest as invalid and not as too large", async () => {
  const cookie = await app.signIn();
  const created = await createUpload(cookie, { "upload-length": "10" });
  const location = created.headers.get("location") ?? "";
  const part = await sendPart(cookie, location, "x".repeat(11));
  expect(part.status).toBe(413);
  expect(await part.json()).toMatchObject({
    code: "too_large",
    message: "The part exceeds the declared length of the upload.",
  });
  const tooLarge = await createUpload(cookie, { "upload-length": String(2 ** 40) });
  expect(await tooLarge.json()).toMatchObject({
    code: "too_large",
    message: "The file is larger than the allowed 500 MB.",
  });
});

test("responds with storage_full if the disk fills up, and continues once there is space", async () => {
  const cookie = await app.signIn();
  const created = await createUpload(cookie, { "upload-length": "20" });
  const location = created.headers.get("location") ?? "";
  const file = path.join(app.dataDir, "uploads", path.basename(location));
  await rm(file);
  await symlink("/dev/full", file);
  const refused = await sendPart(cookie, location, "first part");
  expect(refused.status).toBe(507);
  expect(await refused.json()).toMatchObject({
    code: "storage_full",
    message: "Storage is full. Free up some space and try again.",
  });
  await rm(file);
  await writeFile(file, "");
  const stored = await sendPart(cookie, location, "first part");
  expect([stored.status, stored.headers.get("upload-offset")]).toEqual([204, "10"]);
  expect(await readFile(file, "utf8")).toBe("first part");
});

/** Sends the headers of a form upload without its body. */
async function announceForm(bytes: number, more = ""): Promise<string> {
  const head = [
    "POST /api/videos HTTP/1.1",
    `host: ${new URL(app.url).host}`,
    `origin: ${app.url}`,
    `cookie: ${await app.signIn()}`,
    "content-type: multipart/form-data; boundary=b",
    `content-length: ${bytes}`,
    "connection: close",
  ];
  return `${head.join("\r\n")}\r\n${more}\r\n`;
}

test.each(["", "expect: 100-continue\r\n"])(
  "refuses a form that announces more than the limit before its first byte (%j)",
  async (more) => {
    const response = await sendRaw(app.url, await announceForm(700 * 1024 * 1024, more));
    expect(response).toMatch(/^HTTP\/1\.1 413 /);
    expect(response).toContain('"message":"The file is larger than the allowed 500 MB."');
  },
);

test("accepts the body of a form within the limit", async () => {
  const { socket, received } = openConnection(app.url);
  socket.once("data", () => socket.write("--b--\r\n"));
  socket.write(await announceForm(7, "expect: 100-continue\r\n"));
  expect(await received).toMatch(/^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 400 /);
});

/** Creates reservations over a separate folder with a fixed amount of free space. */
async function reservationsOf(freeBytes: number) {
  const directory = await mkdtemp(path.join(folder, "reserved-"));
  const known = new Map<string, OpenUpload>();
  const reservations = createUploadReservations({
    directory,
    findUpload: async (id) => known.get(id) ?? null,
    findFreeBytes: async () => freeBytes,
  });
  const create = async (upload: OpenUpload, arrivedBytes: number): Promise<string> => {
    const id = newId();
    await reservations.reserve(id, upload);
    known.set(id, upload);
    await writeFile(path.join(directory, id), Buffer.alloc(arrivedBytes));
    return id;
  };
  return { reservations, create, directory };
}

test("requires space in addition to the reservations of other open uploads", async () => {
  const { reservations, create } = await reservationsOf(10_000);
  const full = { code: "storage_full", status: 507 };
  const reserve = (sizeBytes: number, account: string): Promise<void> =>
    reservations.reserve(newId(), { sizeBytes, account });
  // Space for twice the length is needed: the original and its renditions.
  await expect(reserve(5_001, "a")).rejects.toMatchObject(full);
  await create({ sizeBytes: 3_000, account: "a" }, 1_000);
  // 5,000 bytes of the first upload are still missing.
  await expect(reserve(2_501, "b")).rejects.toMatchObject(full);
  await reserve(1_500, "b");
  // This upload has no file yet, but still counts.
  await expect(reserve(1_001, "c")).rejects.toMatchObject(full);
  await reserve(1_000, "c");
});

test("doesn't reserve the same free space twice at the same time", async () => {
  const { reservations } = await reservationsOf(10_000);
  const results = await Promise.allSettled(
    Array.from({ length: 5 }, () =>
      reservations.reserve(newId(), { sizeBytes: 2_000, account: "a" }),
    ),
  );
  expect(results.filter(({ status }) => status === "fulfilled")).toHaveLength(2);
});

test("releases an account's upload that hasn't grown for a day", async () => {
  const { reservations, create, directory } = await reservationsOf(1e9);
  const ids: string[] = [];
  for (let i = 0; i < maxOpenUploads; i += 1)
    ids.push(await create({ sizeBytes: 1, account: "a" }, 0));
  const reserve = (): Promise<void> =>
    reservations.reserve(newId(), { sizeBytes: 1, account: "a" });
  await expect(reserve()).rejects.toMatchObject({ code: "rate_limited", status: 429 });
  const yesterday = new Date(Date.now() - 25 * 3600 * 1000);
  await utimes(path.join(directory, ids[0] ?? ""), yesterday, yesterday);
  await reserve();
});

test("responds with a client error to a second thumbnail and to an endless id", async () => {
  const headers = { cookie: await app.signIn(), origin: app.url };
  const form = new FormData();
  form.append("thumbnail", new Blob([]), "");
  form.append("thumbnail", new Blob(["not a picture"]), "b.png");
  const posted = await fetch(`${app.url}/api/videos`, { method: "POST", headers, body: form });
  const replaced = await fetch(`${app.url}/api/admin/videos/${"x".repeat(300)}/thumbnail`, {
    method: "PUT",
    headers: { ...headers, "content-type": "image/png" },
    body: "not a picture",
  });
  expect([posted.status, replaced.status]).toEqual([400, 400]);
});

test("gives the same response for another account's upload as for an unknown one", async () => {
  const [own, foreign] = [await app.signIn("EDITOR"), await app.signIn("ADMIN")];
  const created = await createUpload(own, { "upload-length": "4" });
  const location = created.headers.get("location") ?? "";
  const id = location.split("/").at(-1) ?? "";
  const call = (method: string, cookie: string, at: string) =>
    callUpload(method, cookie, `/api/uploads/${at}`, method === "PATCH" ? "data" : undefined);
  for (const method of ["HEAD", "PATCH", "DELETE"]) {
    const [theirs, unknown] = [
      await call(method, foreign, id),
      await call(method, foreign, newId()),
    ];
    expect([method, theirs.status]).toEqual([method, 404]);
    const bodyOf = async (response: Response) =>
      (await response.text()).replace(/"[^"]{12}"}$/, "");
    expect(await bodyOf(theirs)).toBe(await bodyOf(unknown));
  }
  const form = new FormData();
  form.set("title", "Taken");
  form.set("uploadId", id);
  const taken = await fetch(`${app.url}/api/videos`, {
    method: "POST",
    headers: { cookie: foreign, origin: app.url },
    body: form,
  });
  expect(taken.status).toBe(404);
  expect((await call("HEAD", own, id)).status).toBe(200);
  expect((await call("DELETE", own, id)).status).toBe(204);
});
