import { createHash, randomBytes } from "node:crypto";
import type { Client } from "./load.ts";
import type { ProxyClient } from "./proxy-client.ts";

/** Origin that the browsers send. */
export const origin = "https://video.example.org";
type ProxyResponse = Awaited<ReturnType<ProxyClient["call"]>>;
const json = { origin, "content-type": "application/json" };

/** Acknowledged changes to compare with the final state. */
export interface Acknowledged {
  /** Last known like of a visitor. Null after a call with an unknown result. */
  likes: Map<string, { visitorId: string; videoId: string; isLiked: boolean | null }>;
  watches: { visitorId: string; videoId: string }[];
  uploads: { id: string; sha256: string }[];
}

export const nothingAcknowledged = (): Acknowledged => ({
  likes: new Map(),
  watches: [],
  uploads: [],
});

export const sha256 = (bytes: Uint8Array): string =>
  createHash("sha256").update(bytes).digest("hex");

const isSuccess = (status: number) => status >= 200 && status < 300;
const jsonOf = (response: ProxyResponse): Record<string, unknown> =>
  JSON.parse(response.body.toString());

const cookieOf = ({ headers }: ProxyResponse): string | null =>
  headers["set-cookie"]?.[0]?.split(";")[0] ?? null;

/** The id in the cookie of a visitor. */
const visitorIdOf = (cookie: string): string => cookie.replace(/^visitor=/, "").split(".")[0] ?? "";

export async function signIn(client: ProxyClient): Promise<string> {
  const body = Buffer.from('{"email":"bench@example.com","password":"bench password"}');
  const response = await client.call("POST", "/api/auth/signin", json, body);
  return cookieOf(response) ?? "";
}

/** Reads URLs one after another, and ranges of media. */
export function reader(client: ProxyClient, paths: () => string[]): Client {
  let number = 0;
  return async (call) => {
    number += 1;
    const all = paths();
    const path = all[number % all.length] ?? "/";
    const isMedia = path.startsWith("/media/");
    // A different URL each time, so that the proxy's cache doesn't respond.
    const url = isMedia ? path : path.replace("NUMBER", String(number));
    await call(url, () => client.call("GET", url, isMedia ? { range: "bytes=0-999" } : {}));
  };
}

/** Visitor who repeatedly toggles a like. */
export function liker(
  client: ProxyClient,
  videoIds: readonly string[],
  { likes }: Acknowledged,
): Client {
  let cookie: string | null = null;
  let number = 0;
  return async (call) => {
    number += 1;
    const videoId = videoIds[number % videoIds.length] ?? "";
    const headers = { ...json, ...(cookie === null ? {} : { cookie }) };
    const path = `/api/videos/${videoId}/like`;
    const response = await call(path, () => client.call("POST", path, headers));
    cookie ??= response === null ? null : cookieOf(response);
    if (cookie === null) return;
    const key = `${cookie} ${videoId}`;
    // The change of a failed request may still have been stored.
    const isKnown = response !== null && isSuccess(response.status);
    const isLiked = isKnown ? jsonOf(response)["liked"] === true : null;
    likes.set(key, { visitorId: visitorIdOf(cookie), videoId, isLiked });
  };
}

/** Visitors who each watch one video. */
export function watcher(
  client: ProxyClient,
  videoIds: readonly string[],
  { watches }: Acknowledged,
): Client {
  let number = 0;
  return async (call) => {
    number += 1;
    const videoId = videoIds[number % videoIds.length] ?? "";
    const body = Buffer.from('{"watchTime":5,"completed":false}');
    const path = `/api/videos/${videoId}/watch`;
    const response = await call(path, () => client.call("POST", path, json, body));
    const cookie = response === null ? null : cookieOf(response);
    if (response === null || cookie === null || !isSuccess(response.status)) return;
    watches.push({ visitorId: visitorIdOf(cookie), videoId });
  };
}

/**
 * Appends a box of random bytes to the clip, which makes it a different file with the same video.
 */
export function makeUnique(clip: Buffer): Buffer {
  const box = Buffer.alloc(24);
  box.writeUInt32BE(24, 0);
  box.write("free", 4, "latin1");
  randomBytes(16).copy(box, 8);
  return Buffer.concat([clip, box]);
}

/** Uploads a different file each time with a form. */
export function uploader(
  client: ProxyClient,
  cookie: () => string,
  clip: Buffer,
  { uploads }: Acknowledged,
): Client {
  let number = 0;
  return async (call) => {
    number += 1;
    const file = makeUnique(clip);
    const { type, body } = formOf({ title: `Upload ${number}` }, file);
    const headers = { origin, cookie: cookie(), "content-type": type };
    const path = "/api/videos";
    const response = await call(path, () => client.call("POST", path, headers, body));
    if (response?.status !== 201) return;
    uploads.push({ id: String(jsonOf(response)["id"]), sha256: sha256(file) });
  };
}

/** Returns a form with a file. */
export function formOf(fields: Record<string, string>, file?: Buffer) {
  const boundary = `----cluster${randomBytes(8).toString("hex")}`;
  const parts = Object.entries(fields).map(
    ([name, value]) =>
      `--${boundary}\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
  );
  const head = `--${boundary}\r\ncontent-disposition: form-data; name="video"; filename="clip.mp4"\r\ncontent-type: video/mp4\r\n\r\n`;
  const body = Buffer.concat([
    Buffer.from(parts.join("")),
    ...(file === undefined ? [] : [Buffer.from(head), file, Buffer.from("\r\n")]),
    Buffer.from(`--${boundary}--\r\n`),
  ]);
  return { type: `multipart/form-data; boundary=${boundary}`, body };
}
