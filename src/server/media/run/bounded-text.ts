/**
 * Stores the start and end of a text stream and counts its lines, because a hostile file can cause
 * endless errors.
 */
export function createBoundedText(headBytes = 16 * 1024, tailBytes = 48 * 1024) {
  const head: Buffer[] = [];
  let headLength = 0;
  let tail: Buffer[] = [];
  let tailLength = 0;
  let isCut = false;
  let lines = 0;

  return {
    add(chunk: Buffer): void {
      for (const byte of chunk) if (byte === 10) lines += 1;
      let rest = chunk;
      if (headLength < headBytes) {
        const part = rest.subarray(0, headBytes - headLength);
        head.push(Buffer.from(part));
        headLength += part.length;
        rest = rest.subarray(part.length);
      }
      if (rest.length === 0) return;
      tail.push(Buffer.from(rest));
      tailLength += rest.length;
      if (tailLength > tailBytes * 2) {
        const kept = Buffer.concat(tail).subarray(-tailBytes);
        tail = [Buffer.from(kept)];
        tailLength = kept.length;
        isCut = true;
      }
    },
    text(): string {
      const end = Buffer.concat(tail).subarray(-tailBytes);
      return (
        Buffer.concat(head).toString("utf8") + (isCut ? "\n[...]\n" : "") + end.toString("utf8")
      );
    },
    lineCount: (): number => lines,
  };
}
