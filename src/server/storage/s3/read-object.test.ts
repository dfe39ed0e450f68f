import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, expect, test } from "vitest";
import { readConfig } from "#server/config.ts";
import { readObject } from "./read-object.ts";
import { openBucket } from "./s3-client.ts";
import { explainS3Error, translateS3Error } from "./s3-errors.ts";

let server: Server;
afterEach(() => {
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
