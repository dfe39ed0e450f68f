import { PassThrough, Readable } from "node:stream";
import { expect, it, vi } from "vitest";
import { readMultipart } from "./multipart-upload.routes.ts";

it("converts the line breaks of fields to LF", async () => {
  const form = new FormData();
  form.set("description", "0:00 One\n1:00 Two\r\n\r2:00 Three");
  const { headers, body } = new Response(form);
  const contentType = headers.get("content-type") ?? "";
  const fields = await readMultipart(
    { headers: { "content-type": contentType }, body: Readable.from(body ?? []) },
    { fieldBytes: 100, fields: 1, files: 1 },
    () => Promise.resolve(),
  );
  expect(fields).toEqual({ description: "0:00 One\n1:00 Two\n\n2:00 Three" });
});

it("stops reading a file if the client disconnects", async () => {
  const body = new PassThrough();
  const headers = { "content-type": "multipart/form-data; boundary=b" };
  let received = 0;
  let hasEnded = false;
  const reading = readMultipart(
    { headers, body },
    { fieldBytes: 1, fields: 1, files: 1 },
    async (_name, stream) => {
      try {
        for await (const chunk of stream) received += Buffer.from(chunk).length;
      } finally {
        hasEnded = true;
      }
    },
  );
  const refused = reading.catch((error: unknown) => error);
  body.write('--b\r\ncontent-disposition: form-data; name="video"; filename="a.mp4"\r\n\r\n');
  body.write("bytes".repeat(1000));
  await vi.waitFor(() => expect(received).toBeGreaterThan(0), 30_000);
  body.emit("aborted");
  expect(await refused).toMatchObject({ code: "invalid" });
  await vi.waitFor(() => expect(hasEnded).toBe(true), 30_000);
});
