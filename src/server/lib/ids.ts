import { createHash, createHmac, randomBytes, timingSafeEqual, type KeyObject } from "node:crypto";

export { isUuid } from "#contract/text-formats.ts";

let lastMs = -1;
let counter = 0;

/**
 * Creates a UUIDv7 (RFC 9562, 5.7): 48 bits of Unix milliseconds, a 12-bit counter that starts at a
 * random value in each millisecond (6.2, method 1), and 62 random bits. Ids sort by time, so new
 * rows are appended to an index. Within this process they sort by creation order, for up to over
 * 2,000 ids per millisecond.
 */
export function newId(now: number = Date.now()): string {
  const bytes = randomBytes(16);
  counter = now === lastMs && counter < 0xfff ? counter + 1 : bytes.readUInt16BE(6) & 0x7ff;
  lastMs = now;
  bytes.writeUIntBE(now, 0, 6);
  bytes.writeUInt16BE(0x7000 | counter, 6);
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
  const hex = bytes.toString("hex");
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}

/**
 * Returns a token that can't be guessed and is safe in addresses and file names. By default it has
 * 128 random bits in 22 characters.
 */
export function newToken(bytes = 16): string {
  return randomBytes(bytes).toString("base64url");
}

/**
 * Returns a token for a link. Mail programs leave out a `-` or `_` at the end of a link. The last
 * character of 25 bytes holds two bits, so it is one of A, Q, g and w.
 */
export const newLinkToken = (): string => newToken(25);

/** 32 characters that look different from each other, so each encodes five bits. */
const codeCharacters = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";

/** Returns a random code that people can type. @param length number of characters. */
export const newCode = (length: number): string =>
  Array.from(randomBytes(length), (byte) => codeCharacters[byte % 32]).join("");

/**
 * Returns a typed code as ASCII digits and capital letters, without separators. Converts Arabic,
 * Persian and full-width digits.
 */
export const plainCode = (typed: string): string =>
  typed
    .normalize("NFKC")
    .replace(/[\u0660-\u0669\u06f0-\u06f9]/g, (digit) => String(digit.charCodeAt(0) % 16))
    .toUpperCase()
    .replace(/[^0-9A-Z]/g, "");

/** Returns a code of `newCode` that somebody typed, with look-alikes replaced. */
export const normalizeCode = (typed: string): string =>
  plainCode(typed).replaceAll("O", "0").replace(/[IL]/g, "1");

export function sha256(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}

export function hmacSha256(key: KeyObject, text: string): Buffer {
  return createHmac("sha256", key).update(text).digest();
}

/** Returns the HMAC in base64url, 43 characters. Every four characters decode to three bytes. */
export function hmacText(key: KeyObject, text: string): string {
  return createHmac("sha256", key).update(text).digest("base64url");
}

/** Compares in constant time. */
export function equalBytes(a: Buffer, b: Buffer): boolean {
  return a.length === b.length && timingSafeEqual(a, b);
}

/** Returns the SHA-256 of a stream. */
export async function hashOf(bytes: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const hash = createHash("sha256");
  for await (const piece of bytes) hash.update(piece);
  return hash.digest();
}
