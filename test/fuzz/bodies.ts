import type { Random } from "../reference/random.ts";
import type { KnownValues } from "./known-values.ts";
import { oddText, oddValue } from "./odd-values.ts";
import type { Operation } from "./operations.ts";
import { anyBody } from "./schema-values.ts";

export interface Body {
  headers: Record<string, string>;
  bytes: Buffer;
}

interface Source {
  random: Random;
  known: KnownValues;
}

const types = [
  "application/json",
  "application/json; charset=utf-16",
  "application/x-www-form-urlencoded",
  "text/plain",
  "multipart/form-data; boundary=x",
  "multipart/form-data",
  "application/offset+octet-stream",
  "image/png",
  "nonsense",
  "application/json;",
  "",
];

const brokenJson = [
  "",
  "{",
  "[1,",
  '"',
  "nul",
  "{'a':1}",
  '{"a":1}}',
  "\ufeff{}",
  "NaN",
  "1e99999",
  '{"a":1,"a":2}',
  "[".repeat(5000),
];

const randomBytes = (random: Random): Buffer =>
  Buffer.from(Array.from({ length: random.pick([0, 1, 16, 300]) }, () => random.below(256)));

/** First bytes of formats that the probe recognises, without usable content. */
const fileStarts = [
  "",
  "\x00\x00\x00\x18ftypmp42",
  "\x1aE\xdf\xa3",
  "\x89PNG\r\n\x1a\n",
  "\xff\xd8\xff",
  "#EXTM3U\n/etc/passwd",
  "<svg onload=x>",
  "GIF89a",
];
const file = (random: Random): Buffer =>
  Buffer.concat([Buffer.from(random.pick(fileStarts), "latin1"), randomBytes(random)]);

const partNames = [
  "video",
  "thumbnail",
  "title",
  "description",
  "categories",
  "tags",
  "actors",
  "duration",
  "isPremium",
  "uploadId",
  "__proto__",
  "",
  "x".repeat(120),
  "é\r\n",
];

function multipart({ random, known }: Source): Body {
  const boundary = random.pick(["x", "----b", "'()+_,-./:=?", "b".repeat(70)]);
  const parts: Buffer[] = [];
  for (let count = random.below(8); count > 0; count -= 1) {
    const name = random.pick(partNames);
    const isFile = name === "thumbnail" || random.below(8) === 0;
    const value = isFile
      ? file(random)
      : Buffer.from(
          name === "uploadId" ? String(known.pick("uploads", random) ?? "x") : oddText(random),
        );
    const about = random.pick([
      `form-data; name="${name}"${isFile ? `; filename="${random.pick(["a.mp4", "../../x", "", "é\0.mp4"])}"` : ""}`,
      `form-data; name=${name}`,
      `form-data; name*=utf-8''%E2%82`,
      "attachment",
    ]);
    parts.push(
      Buffer.from(`--${boundary}\r\ncontent-disposition: ${about}\r\n\r\n`),
      value,
      Buffer.from("\r\n"),
    );
  }
  if (random.below(4) > 0) parts.push(Buffer.from(`--${boundary}--\r\n`));
  return {
    headers: {
      "content-type": `multipart/form-data; boundary=${random.below(6) === 0 ? "other" : `"${boundary}"`}`,
    },
    bytes: Buffer.concat(parts),
  };
}

function tusBody(operation: Operation, { random }: Source): Body {
  const bytes = file(random);
  const parts = operation.method === "PATCH" || random.below(8) === 0;
  return {
    headers: {
      "tus-resumable": "1.0.0",
      ...(parts
        ? {
            "content-type": "application/offset+octet-stream",
            "upload-offset": String(random.pick([0, 0, 0, bytes.length, 7])),
          }
        : {}),
      "upload-length": String(random.pick([0, 1, 16, 300, bytes.length])),
      ...(random.below(3) === 0
        ? { "upload-metadata": random.pick(["title eA==", "a", "a b=c,"]) }
        : {}),
    },
    bytes: parts ? bytes : Buffer.alloc(0),
  };
}

const json = (value: unknown): Body => ({
  headers: { "content-type": "application/json" },
  bytes: Buffer.from(JSON.stringify(value) ?? ""),
});

/** Returns a body for the operation, or null for none. */
export function makeBody(operation: Operation, source: Source): Body | null {
  const { random } = source;
  const { method, path } = operation;
  const isOdd = random.below(12) === 0;
  if (path.startsWith("/api/uploads") && !isOdd) return tusBody(operation, source);
  if (method === "POST" && path === "/api/videos" && !isOdd) return multipart(source);
  if (/(picture|thumbnail)$/.test(path) && method === "PUT" && !isOdd) {
    return {
      headers: { "content-type": random.pick(["image/png", "image/jpeg", "x/y"]) },
      bytes: file(random),
    };
  }
  if (operation.body !== null && !isOdd) return json(anyBody(operation.body, source));
  if (["GET", "HEAD"].includes(method) && random.below(30) > 0) return null;
  switch (random.below(6)) {
    case 0:
      return null;
    case 1:
      return {
        headers: { "content-type": random.pick(types) },
        bytes: Buffer.from(random.pick(brokenJson)),
      };
    case 2:
      return { ...json(oddValue(random)), headers: { "content-type": random.pick(types) } };
    case 3:
      return { headers: { "content-type": random.pick(types) }, bytes: randomBytes(random) };
    case 4:
      return {
        headers: { "content-type": "application/x-www-form-urlencoded" },
        bytes: Buffer.from("email=a%40b&password=%00%ff&next=%2Fx%0a&__proto__=1&a[b]=c"),
      };
    default:
      return json({ filler: "y".repeat(random.pick([100, 16_300, 17_000, 70_000])) });
  }
}
