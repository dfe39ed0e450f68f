/** Bytes that can be read at a position, such as those of an open file. */
export interface ByteSource {
  read(
    buffer: Buffer,
    offset: number,
    length: number,
    position: number,
  ): Promise<{ bytesRead: number }>;
}

/** Reads up to `length` bytes of a file, fewer at its end. */
export async function readAt(source: ByteSource, at: number, length: number): Promise<Buffer> {
  const buffer = Buffer.alloc(length);
  const { bytesRead } = await source.read(buffer, 0, length, at);
  return buffer.subarray(0, bytesRead);
}

/** Returns bytes in memory as a source. */
export const toSource = (bytes: Buffer): ByteSource => ({
  read: async (buffer, offset, length, position) => ({
    bytesRead: bytes.subarray(position, position + length).copy(buffer, offset),
  }),
});
