/** What XML 1.0 cannot hold at all, not even escaped: control characters and halves of pairs. */
const forbidden =
  /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;

const entities: Record<string, string> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&apos;",
};

/** Text as it may stand between tags and inside quotes, whatever somebody typed as a title. */
export function escapeXml(text: string): string {
  return text.replace(forbidden, "").replace(/[&<>"']/g, (sign) => entities[sign] ?? "");
}

/** An element with text; nothing where there is no text. */
export function element(name: string, text: string | number | null): string {
  return text === null || text === "" ? "" : `<${name}>${escapeXml(String(text))}</${name}>`;
}

/** At most so many characters, whole ones, cut between words where that can be helped. */
export function shorten(text: string, most: number): string {
  const characters = [...text.replace(/\s+/g, " ").trim()];
  if (characters.length <= most) return characters.join("");
  const cut = characters.slice(0, most - 1).join("");
  const atWord = cut.lastIndexOf(" ");
  return `${atWord > most / 2 ? cut.slice(0, atWord) : cut}…`;
}
