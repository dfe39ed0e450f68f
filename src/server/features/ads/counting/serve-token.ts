import { createSecretKey, randomBytes } from "node:crypto";
import { equalBytes, hmacSha256 } from "../../../lib/ids.ts";

/**
 * Identifies one response of the public list: 8 random bytes, the minute of its creation and 8 bytes
 * of HMAC, 27 characters. Events that carry it count once per ad and event.
 */
export interface ServeTokens {
  create(): string;
  /** The serve as a signed 64-bit number in decimal, or null if it is forged or expired. */
  read(token: string): string | null;
}

/** A page that stays open longer must request its ads again before it can count them. */
export const serveLifetimeMs = 12 * 3600 * 1000;
const macLength = 8;
const bodyLength = 12;

export function createServeTokens(secret: Buffer, now: () => number): ServeTokens {
  // Random bytes come in blocks: one system call covers hundreds of responses.
  let pool = Buffer.alloc(0);
  let used = 0;
  // Preparing the key for each HMAC would take 14 of its 17 µs.
  const key = createSecretKey(secret);
  const mac = (body: Buffer) =>
    hmacSha256(key, `serve:${body.toString("hex")}`).subarray(0, macLength);

  return {
    create() {
      if (used + 8 > pool.length) {
        pool = randomBytes(4096);
        used = 0;
      }
      const body = Buffer.allocUnsafe(bodyLength);
      pool.copy(body, 0, used, used + 8);
      used += 8;
      body.writeUInt32BE(Math.floor(now() / 60_000) >>> 0, 8);
      return Buffer.concat([body, mac(body)]).toString("base64url");
    },
    read(token) {
      const bytes = Buffer.from(token, "base64url");
      if (bytes.length !== bodyLength + macLength) return null;
      const body = bytes.subarray(0, bodyLength);
      if (!equalBytes(bytes.subarray(bodyLength), mac(body))) return null;
      const ageMs = now() - body.readUInt32BE(8) * 60_000;
      if (ageMs > serveLifetimeMs || ageMs < -120_000) return null;
      return body.readBigInt64BE(0).toString();
    },
  };
}
