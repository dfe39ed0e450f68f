import { createHash, createHmac, randomBytes, timingSafeEqual, type KeyObject } from "node:crypto";

const blockBytes = 4096;
let block = Buffer.alloc(0);
let used = 0;

/**
 * Returns unique random bytes, drawn in blocks, so that one system call covers hundreds of
 * requests.
 */
export function drawRandomBytes(count: number): Buffer {
  if (count > blockBytes) return randomBytes(count);
  if (used + count > block.length) {
    block = randomBytes(blockBytes);
    used = 0;
  }
  used += count;
  return block.subarray(used - count, used);
}

let lastMs = -1;
let counter = 0;

/**
 * Creates a UUIDv7 (RFC 9562, 5.7): 48 bits of Unix milliseconds, 12 of a counter within the
 * millisecond that starts at random (6.2, method 1), 62 random bits. Sorted by time, so that new
 * rows are appended to an index, and in this process's order of creation (over 2,000 a ms).
 */
export function newId(now: number = Date.now()): string {
  const bytes = drawRandomBytes(16);
  counter = now === lastMs && counter < 0xfff ? counter + 1 : bytes.readUInt16BE(6) & 0x7ff;
  lastMs = now;
  bytes.writeUIntBE(now, 0, 6);
  bytes.writeUInt16BE(0x7000 | counter, 6);
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
  const hex = bytes.toString("hex");
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}

const uuidPattern = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** Distinguishes an id from a slug, which are interchangeable in addresses. */
export function isUuid(text: string): boolean {
  return uuidPattern.test(text);
}

/**
 * Returns 128 random bits in 22 characters, safe in addresses and file names, and impossible to
 * guess.
 */
export function newToken(bytes = 16): string {
  return drawRandomBytes(bytes).toString("base64url");
}

export function sha256(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}

export function hmacSha256(key: KeyObject, text: string): Buffer {
  return createHmac("sha256", key).update(text).digest();
}

/** Returns the HMAC in base64url, 43 characters. Every four of them decode to three bytes. */
export function hmacText(key: KeyObject, text: string): string {
  return createHmac("sha256", key).update(text).digest("base64url");
}

/** Compares in constant time. */
export function equalBytes(a: Buffer, b: Buffer): boolean {
  return a.length === b.length && timingSafeEqual(a, b);
}
