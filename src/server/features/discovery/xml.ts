/** Characters that XML 1.0 forbids even when escaped: control characters and lone surrogates. */
const forbidden =
  /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;

const entities: Record<string, string> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&apos;",
};

/** Escapes text for element content and attribute values. Drops forbidden characters. */
export function escapeXml(text: string): string {
  return text.replace(forbidden, "").replace(/[&<>"']/g, (sign) => entities[sign] ?? "");
}

/** Renders an element that contains text. Returns an empty string if there is no text. */
export function element(name: string, text: string | number | null): string {
  return text === null || text === "" ? "" : `<${name}>${escapeXml(String(text))}</${name}>`;
}
