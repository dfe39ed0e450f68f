import { AppError } from "#server/lib/app-error.ts";

const segment = /^[A-Za-z0-9_-][A-Za-z0-9._-]{0,119}$/;
const maxKeyLength = 512;

export function isStorageKey(key: string): boolean {
  return key.length <= maxKeyLength && key.split("/").every((part) => segment.test(part));
}

/**
 * Rejects malformed keys. Keys consist of random tokens and fixed names, so a malformed key is a
 * bug or an attack. Segments start with a letter, digit, "_" or "-", which excludes "..", hidden
 * names and absolute paths.
 */
export function assertStorageKey(key: string): void {
  if (!isStorageKey(key)) {
    throw new AppError("internal", "A storage key is malformed.", {
      cause: new Error(`storage key ${JSON.stringify(key.slice(0, 100))}`),
    });
  }
}

/**
 * Rejects malformed prefixes. A prefix is a folder: a key followed by "/". The empty prefix matches
 * all keys.
 */
export function assertStoragePrefix(prefix: string): void {
  if (prefix === "") return;
  if (!prefix.endsWith("/")) {
    throw new AppError("internal", "A storage prefix must end with a slash.");
  }
  assertStorageKey(prefix.slice(0, -1));
}

const contentTypes: Record<string, string> = {
  mp4: "video/mp4",
  m4a: "audio/mp4",
  m4s: "video/iso.segment",
  m3u8: "application/vnd.apple.mpegurl",
  vtt: "text/vtt; charset=utf-8",
  jpg: "image/jpeg",
  png: "image/png",
  webp: "image/webp",
  avif: "image/avif",
  json: "application/json",
};

/**
 * Returns the content type. It is never a type that a browser executes. Unknown names are plain
 * bytes.
 */
export function contentTypeOf(key: string): string {
  const extension = key.slice(key.lastIndexOf(".") + 1).toLowerCase();
  return contentTypes[extension] ?? "application/octet-stream";
}
