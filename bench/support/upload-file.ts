import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import { request } from "node:http";
import type { Site } from "#test/harness/server-process.ts";

export interface Uploaded {
  id: string;
  /** Time at which the last byte was passed to the socket, and at which the response was complete. */
  sentAt: number;
  respondedAt: number;
  tookMs: number;
}

/** Multipart upload as a stream, so that the client holds no more in memory than the server. */
export async function uploadFile(
  site: Pick<Site, "url">,
  cookie: string,
  path: string,
  title = "Bench",
): Promise<Uploaded> {
  const { size } = await stat(path);
  const boundary = "----bench-boundary";
  const head = `--${boundary}\r\ncontent-disposition: form-data; name="title"\r\n\r\n${title}\r\n--${boundary}\r\ncontent-disposition: form-data; name="video"; filename="clip.mp4"\r\ncontent-type: video/mp4\r\n\r\n`;
  const tail = `\r\n--${boundary}--\r\n`;
  const startedAt = performance.now();
  return new Promise((resolve, reject) => {
    const outgoing = request(
      `${site.url}/api/videos`,
      {
        method: "POST",
        headers: {
          cookie,
          "content-type": `multipart/form-data; boundary=${boundary}`,
          "content-length": head.length + size + tail.length,
        },
      },
      (response) => {
        const parts: Buffer[] = [];
        response.on("data", (part: Buffer) => parts.push(part));
        response.on("end", () => {
          const respondedAt = performance.now();
          const body: unknown = JSON.parse(Buffer.concat(parts).toString());
          if (
            response.statusCode !== 201 ||
            typeof body !== "object" ||
            body === null ||
            !("id" in body)
          ) {
            reject(new Error(`upload returned ${response.statusCode}: ${JSON.stringify(body)}`));
          } else
            resolve({ id: String(body.id), sentAt, respondedAt, tookMs: respondedAt - startedAt });
        });
      },
    );
    let sentAt = 0;
    outgoing.on("finish", () => {
      sentAt = performance.now();
    });
    outgoing.on("error", reject);
    outgoing.write(head);
    const file = createReadStream(path, { highWaterMark: 1024 * 1024 });
    file.on("error", reject);
    file.on("end", () => outgoing.end(tail));
    file.pipe(outgoing, { end: false });
  });
}
