import { createCipheriv, createDecipheriv, randomBytes, scrypt } from "node:crypto";
import { promisify } from "node:util";
import { OperatorError } from "#server/lib/app-error.ts";

const magic = Buffer.from("Kinora encrypted backup 1\n");
const saltBytes = 16;
const tagBytes = 16;
const chunkBytes = 256 * 1024;

const deriveKey = promisify<string, Buffer, number, object, Buffer>(scrypt);
/** Takes 128 MiB and about half a second per guess. */
const keyOf = (passphrase: string, salt: Buffer): Promise<Buffer> =>
  deriveKey(passphrase, salt, 32, { N: 2 ** 17, r: 8, p: 1, maxmem: 192 * 2 ** 20 });

/**
 * Uses a counter as the nonce. That is safe because each key encrypts only one file. The last chunk
 * is marked.
 */
function toNonce(index: number, isLast: boolean): Buffer {
  const nonce = Buffer.alloc(12);
  nonce.writeUIntBE(index, 5, 6);
  nonce[11] = isLast ? 1 : 0;
  return nonce;
}

/** Yields chunks of exactly `bytes`, then a shorter one, which may be empty. */
async function* inChunks(source: AsyncIterable<Buffer>, bytes: number) {
  let held: Buffer[] = [];
  let length = 0;
  for await (const piece of source) {
    held.push(piece);
    length += piece.length;
    if (length <= bytes) continue;
    let all = Buffer.concat(held);
    for (; all.length > bytes; all = all.subarray(bytes)) {
      yield { chunk: all.subarray(0, bytes), isLast: false };
    }
    held = [all];
    length = all.length;
  }
  yield { chunk: Buffer.concat(held), isLast: true };
}

/**
 * Encrypts with AES-256-GCM in chunks, so that any change, truncation or reordering is detected.
 */
export async function* encrypt(source: AsyncIterable<Buffer>, passphrase: string) {
  const salt = randomBytes(saltBytes);
  const key = await keyOf(passphrase, salt);
  yield Buffer.concat([magic, salt]);
  let index = 0;
  for await (const { chunk, isLast } of inChunks(source, chunkBytes)) {
    const cipher = createCipheriv("aes-256-gcm", key, toNonce(index, isLast));
    yield Buffer.concat([cipher.update(chunk), cipher.final(), cipher.getAuthTag()]);
    index += 1;
  }
}

/**
 * Decrypts the output of `encrypt` and passes other data through.
 * @throws OperatorError for a missing or wrong passphrase or a damaged file.
 */
export async function* decrypt(source: AsyncIterable<Buffer>, passphrase: string | null) {
  const input = source[Symbol.asyncIterator]();
  let head: Buffer = Buffer.alloc(0);
  while (head.length < magic.length + saltBytes) {
    const next = await input.next();
    if (next.done === true) break;
    head = Buffer.concat([head, next.value]);
  }
  async function* rest(from: number): AsyncGenerator<Buffer> {
    yield head.subarray(from);
    for (;;) {
      const next = await input.next();
      if (next.done === true) return;
      yield next.value;
    }
  }
  if (!head.subarray(0, magic.length).equals(magic)) {
    yield* rest(0);
    return;
  }
  if (passphrase === null) {
    throw new OperatorError("The file is encrypted. Set BACKUP_PASSPHRASE to its passphrase.");
  }
  const begin = magic.length + saltBytes;
  const key = await keyOf(passphrase, head.subarray(magic.length, begin));
  let index = 0;
  for await (const { chunk, isLast } of inChunks(rest(begin), chunkBytes + tagBytes)) {
    const end = Math.max(0, chunk.length - tagBytes);
    try {
      const decipher = createDecipheriv("aes-256-gcm", key, toNonce(index, isLast));
      decipher.setAuthTag(chunk.subarray(end));
      yield Buffer.concat([decipher.update(chunk.subarray(0, end)), decipher.final()]);
    } catch (error) {
      const reason =
        index === 0 ? "BACKUP_PASSPHRASE isn't the right passphrase" : "the file is damaged";
      throw new OperatorError(`Couldn't decrypt the file: ${reason}.`, { cause: error });
    }
    index += 1;
  }
}
