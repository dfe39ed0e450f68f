/**
 * Changes one character of a signed text, by default the second to last one. The last character of
 * base64url may contain unused bits.
 */
export function forged(text: string, at = text.length - 2): string {
  const changed = text[at] === "A" ? "B" : "A";
  return text.slice(0, at) + changed + text.slice(at + 1);
}
