/** Escapes text for element content and attribute values in double quotes. */
export function escapeHtml(text: string): string {
  // Fast path, because most texts contain none of these characters.
  if (!/[&<>"]/.test(text)) return text;
  return text
    .replace(/&/g, "&amp;")
    .replace(/</g, "&lt;")
    .replace(/>/g, "&gt;")
    .replace(/"/g, "&quot;");
}
