/** First bytes of a document in UTF-16: its byte order mark, or `<`. */
const wideStarts = [
  { first: 0xff, second: 0xfe, encoding: "utf-16le" },
  { first: 0xfe, second: 0xff, encoding: "utf-16be" },
  { first: 0x3c, second: 0x00, encoding: "utf-16le" },
  { first: 0x00, second: 0x3c, encoding: "utf-16be" },
] as const;

/**
 * Decodes an XML document. The encoding comes from the first of these that is present: the byte
 * order mark, the byte pattern of UTF-16, the charset of the `Content-Type`, the XML declaration.
 * The default is UTF-8.
 */
export function decodeDocument(bytes: Uint8Array, contentType: string | null | undefined): string {
  const [first, second] = bytes;
  const wide = wideStarts.find((start) => start.first === first && start.second === second);
  if (wide !== undefined) return new TextDecoder(wide.encoding).decode(bytes);
  const charset = /charset\s*=\s*"?([\w-]+)/i.exec(contentType ?? "")?.[1];
  for (const encoding of [charset, declaredEncoding(bytes)]) {
    // UTF-16 is declared wrongly if the first bytes don't match it.
    if (encoding === undefined || /^utf-?16/i.test(encoding)) continue;
    try {
      return new TextDecoder(encoding).decode(bytes);
    } catch {
      // Unknown encoding name.
    }
  }
  return new TextDecoder().decode(bytes);
}

function declaredEncoding(bytes: Uint8Array): string | undefined {
  const start = String.fromCharCode(...bytes.subarray(0, 200));
  return /^<\?xml[^>]*\bencoding\s*=\s*["']([\w-]+)/.exec(start)?.[1];
}
