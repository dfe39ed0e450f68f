/**
 * A signed text (token, cookie) with one of its characters changed, by default the second from the end.
 * The last character of base64url may hold bits that no decoder reads, so that changing it can
 * change nothing.
 */
export function forged(text: string, at = text.length - 2): string {
  const changed = text[at] === "A" ? "B" : "A";
  return text.slice(0, at) + changed + text.slice(at + 1);
}
