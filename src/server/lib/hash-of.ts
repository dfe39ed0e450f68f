import { createHash } from "node:crypto";

/** Returns the SHA-256 of a stream. */
export async function hashOf(bytes: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const hash = createHash("sha256");
  for await (const piece of bytes) hash.update(piece);
  return hash.digest();
}
