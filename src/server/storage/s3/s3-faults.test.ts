import { once } from "node:events";
import { readFile, truncate, writeFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { readConfig } from "#server/config.ts";
import type { AppError } from "#server/lib/app-error.ts";
import { createLogger } from "#server/lib/logger.ts";
import { makeFolder } from "#test/shared.ts";
import { createScratchArea } from "../scratch-area.ts";
import { copyObject } from "./s3.storage.ts";
import { completeParts } from "./part-upload.ts";
import { readObject } from "./s3-reads.ts";
import { openBucket, type Bucket } from "./s3-client.ts";
import { explainS3Error, translateS3Error } from "./s3-errors.ts";
import { createS3Storage } from "./s3.storage.ts";
import { sendFile } from "./s3.storage.ts";

let server: Server;
let folder = "";
beforeEach(async () => {
  folder = makeFolder("s3");
});
afterEach(async () => {
  server.closeAllConnections();
  server.close();
});

type Respond = Parameters<typeof createServer>[1];
async function openFake(respond: Respond) {
  server = createServer(respond).listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const { s3 } = readConfig({
    S3_ENDPOINT: `http://127.0.0.1:${port}`,
    S3_BUCKET: "kinora",
    S3_ACCESS_KEY_ID: "id",
    S3_SECRET_ACCESS_KEY: "secret",
  });
  if (s3 === null) throw new Error("no S3 variables");
  return { bucket: openBucket(s3), config: s3 };
}

async function readAll(pieces: AsyncIterable<Uint8Array>): Promise<string> {
  let text = "";
  for await (const piece of pieces) text += Buffer.from(piece).toString();
  return text;
}
const object = { key: "v/a/clip.mp4", etag: '"1"' };
const content = "0123456789";
const about = { ContentType: "video/mp4", CacheControl: "no-store" };
const key = "v/a/large.mp4";
const sentBytes = 20 * 1024 ** 2;
const copiedBytes = 5 * 1024 ** 3;

/** Creates a sparse file that is sent in two parts. */
async function makeLargeFile(): Promise<string> {
  const path = join(folder, "large.mp4");
  await writeFile(path, "");
  await truncate(path, sentBytes);
  return path;
}

test("resumes an interrupted body at its next byte while the object is the same", async () => {
  const ranges: unknown[] = [];
  const { bucket } = await openFake((request, response) => {
    ranges.push([request.headers.range, request.headers["if-match"]]);
    const start = Number(/=(\d+)-/.exec(request.headers.range ?? "")?.[1]);
    response.writeHead(206, { "content-length": 9 - start });
    response.write(content.slice(start, Math.min(start + 3, 9)), () => {
      if (start + 3 < 9) response.destroy();
      else response.end();
    });
  });
  expect(await readAll(readObject(bucket, object, { start: 0, end: 8 }))).toBe("012345678");
  expect(ranges).toEqual([
    ["bytes=0-8", '"1"'],
    ["bytes=3-8", '"1"'],
    ["bytes=6-8", '"1"'],
  ]);
});

test("aborts a multipart upload that is cancelled during its last part", async () => {
  const stop = new AbortController();
  const calls: string[] = [];
  const { bucket } = await openFake((request, response) => {
    const { searchParams } = new URL(request.url ?? "", "http://bucket");
    const part = searchParams.get("partNumber");
    calls.push(part === null ? (request.method ?? "") : `part ${part}`);
    if (part === "2") stop.abort();
    request.resume().on("end", () => {
      const isStart = searchParams.has("uploads");
      response.writeHead(200, { etag: '"1"' });
      response.end(isStart ? "<R><UploadId>u</UploadId></R>" : "");
    });
  });
  const file = await makeLargeFile();
  const sending = sendFile(bucket, file, { key: "sources/a", about, signal: stop.signal });
  await expect(sending).rejects.toThrow("abort");
  expect(calls.toSorted()).toEqual(["DELETE", "POST", "part 1", "part 2"]);
});

describe.each<[string, number, (bucket: Bucket) => Promise<unknown>, string]>([
  [
    "a sent file",
    sentBytes,
    async (bucket) => sendFile(bucket, await makeLargeFile(), { key, about }),
    "unavailable",
  ],
  [
    "a copied object",
    copiedBytes,
    (bucket) => copyObject(bucket, { key: "v/b/large.mp4", sizeBytes: copiedBytes }, key, about),
    "unavailable",
  ],
  [
    "a resumable upload",
    sentBytes,
    (bucket) =>
      completeParts(bucket, { key, uploadId: "u" }, [
        { number: 1, etag: '"1"', sizeBytes: sentBytes - 1 },
        { number: 2, etag: '"2"', sizeBytes: 1 },
      ]),
    "not_found",
  ],
])("completing %s without a response", (_, sizeBytes, run, code) => {
  /** Storage that completes the upload, but whose first response is lost. */
  async function openLossy(storedBytes: number | null) {
    const methods: string[] = [];
    let hasCompleted = false;
    const { bucket } = await openFake((request, response) => {
      const { searchParams } = new URL(request.url ?? "", "http://bucket");
      methods.push(request.method ?? "");
      request.resume().on("end", () => {
        if (request.method === "HEAD") {
          if (storedBytes === null) response.writeHead(404).end();
          else response.writeHead(200, { "content-length": storedBytes }).end();
        } else if (request.method !== "POST") {
          response.writeHead(200, { etag: '"1"' });
          response.end("<R><ETag>1</ETag></R>");
        } else if (searchParams.has("uploads")) {
          response.end("<R><UploadId>u</UploadId></R>");
        } else {
          response.writeHead(hasCompleted ? 404 : 503);
          response.end(hasCompleted ? "<Error><Code>NoSuchUpload</Code></Error>" : "");
          hasCompleted = true;
        }
      });
    });
    return { bucket, methods };
  }

  test("succeeds if the object has the size of all parts", async () => {
    const { bucket, methods } = await openLossy(sizeBytes);
    await run(bucket);
    expect(methods).not.toContain("DELETE");
  });

  test.each([
    ["is absent", null],
    ["has another size", sizeBytes - 1],
  ])(`fails as ${code} if the object %s`, async (_name, storedBytes) => {
    const { bucket } = await openLossy(storedBytes);
    await expect(run(bucket)).rejects.toMatchObject({ code });
  });
});

test("copies a large object in ranges, so that no request takes long", async () => {
  const sizeBytes = 3 * 1024 ** 3;
  const ranges: unknown[] = [];
  const { bucket } = await openFake((request, response) => {
    if (request.method === "PUT") ranges.push(request.headers["x-amz-copy-source-range"]);
    request.resume().on("end", () => response.end("<R><UploadId>u</UploadId><ETag>1</ETag></R>"));
  });
  await copyObject(bucket, { key: "v/b/large.mp4", sizeBytes }, key, about);
  expect(ranges).toHaveLength(12);
  expect(ranges.at(-1)).toBe("bytes=2952790016-3221225471");
});

test("retries busy storage, and doesn't mix up a replaced object", async () => {
  let count = 0;
  const { bucket } = await openFake((_request, response) => {
    count += 1;
    if (count < 3) response.writeHead(503).end();
    else response.writeHead(412).end();
  });
  const reading = readAll(readObject(bucket, object, { start: 0, end: 8 }));
  await expect(reading).rejects.toMatchObject({ code: "not_found" });
  expect(count).toBe(3);
});

test.each([
  [503, [0, 0], 7, "stored"],
  [503, [], 4, "unavailable"],
  [403, [0, 0], 1, "unavailable"],
])(
  "after responses of %i with the pauses %j, sends %i requests",
  async (status, pausesMs, requests, result) => {
    let count = 0;
    const { config } = await openFake((request, response) => {
      count += 1;
      request.resume();
      response.writeHead(count <= 6 ? status : 200).end();
    });
    const storage = createS3Storage({ config, scratch: createScratchArea(folder), pausesMs });
    const writing = storage.writeId("id").then(
      () => "stored",
      (error: AppError) => error.code,
    );
    expect([await writing, count]).toEqual([result, requests]);
  },
);

test.each([
  ["the whole object instead of a range", 200, content],
  ["fewer bytes than requested", 206, "345"],
  ["more bytes than requested, without a length", 206, null],
])("refuses storage that sends %s", async (_name, status, body) => {
  const { bucket } = await openFake((_request, response) => {
    if (body !== null) response.writeHead(status, { "content-length": body.length }).end(body);
    else response.writeHead(status).end(content);
  });
  const reading = readAll(readObject(bucket, object, { start: 3, end: 8 }));
  await expect(reading).rejects.toMatchObject({ code: "unavailable" });
});

const listOf = (isTruncated: boolean) => `<?xml version="1.0"?><ListBucketResult>
<IsTruncated>${isTruncated}</IsTruncated>${["v/a/1.mp4", "v/b/1.mp4", "source/c"]
  .map((key) => `<Contents><Key>${key}</Key><Size>1</Size></Contents>`)
  .join("")}</ListBucketResult>`;

test("deletes only objects of a folder, even if storage lists others", async () => {
  const deleted: unknown[] = [];
  const { config } = await openFake((request, response) => {
    if (request.method === "DELETE") deleted.push(request.url);
    response.end(request.method === "DELETE" ? "" : listOf(false));
  });
  const storage = createS3Storage({ config, scratch: createScratchArea(folder) });
  await storage.deletePrefix("v/a/");
  expect(deleted).toEqual([expect.stringContaining("/v/a/1.mp4")]);
});

test("lists an object of unknown age as new, so that no sweep deletes it", async () => {
  const before = Date.now();
  const { config } = await openFake((_request, response) => response.end(listOf(false)));
  const storage = createS3Storage({ config, scratch: createScratchArea(folder) });
  const ages: number[] = [];
  for await (const { modifiedAt } of storage.list("v/")) ages.push(modifiedAt.getTime());
  expect(ages).toHaveLength(2);
  expect(Math.min(...ages)).toBeGreaterThanOrEqual(before);
});

test("sweeps without the permission to list unfinished uploads", async () => {
  const { config } = await openFake((_request, response) => {
    response.writeHead(403).end("<Error><Code>AccessDenied</Code></Error>");
  });
  const storage = createS3Storage({ config, scratch: createScratchArea(folder) });
  const logger = createLogger("silent");
  const warn = vi.spyOn(logger, "warn");
  for (let run = 0; run < 2; run += 1) expect(await storage.sweepScratch(logger)).toBe(0);
  expect(warn).toHaveBeenCalledOnce();
});

test("fails if storage returns an incomplete list", async () => {
  const { config } = await openFake((_request, response) => response.end(listOf(true)));
  const storage = createS3Storage({ config, scratch: createScratchArea(folder) });
  const listing = storage.list("v/a/")[Symbol.asyncIterator]();
  expect((await listing.next()).value).toMatchObject({ key: "v/a/1.mp4" });
  await expect(listing.next()).rejects.toMatchObject({ code: "unavailable" });
});

test("keeps the local file if storage doesn't hold all its bytes", async () => {
  const { config } = await openFake((request, response) => {
    request.resume();
    const isHead = request.method === "HEAD";
    response.writeHead(200, { etag: '"1"', "content-length": isHead ? 4 : 0 }).end();
  });
  const path = join(folder, "clip.mp4");
  await writeFile(path, content);
  const storage = createS3Storage({ config, scratch: createScratchArea(folder) });
  const putting = storage.putFile("v/a/clip.mp4", path, { consume: true });
  await expect(putting).rejects.toMatchObject({ code: "unavailable" });
  expect(await readFile(path, "utf8")).toBe(content);
});

test("reports unreachable storage as unavailable, and in one line at the start", async () => {
  const { bucket, config } = await openFake((_request, response) => {
    response.writeHead(500).end();
  });
  const error: unknown = await readAll(readObject(bucket, object, { start: 0, end: 8 })).catch(
    (cause: unknown) => cause,
  );
  expect(error).toMatchObject({ code: "unavailable", retryAfterS: 5 });
  expect(explainS3Error(error, config)).toMatchObject({
    message: expect.stringMatching(/^S3_ENDPOINT: http:.* responds with an error \(500 /),
  });
});

test("names the disk of this machine if it is full, and not the object storage", async () => {
  const { config } = await openFake((_request, response) => response.end());
  const full = Object.assign(new Error("ENOSPC: no space left on device"), { code: "ENOSPC" });
  const error = translateS3Error(full);
  expect(error).toMatchObject({ code: "storage_full" });
  expect(explainS3Error(error, config)).toMatchObject({
    message: "DATA_DIR: its disk is full. Free up some space and try again.",
  });
});
