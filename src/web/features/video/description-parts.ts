export interface DescriptionPart {
  text: string;
  /** HTTP(S) URL, or null for plain text. */
  href: string | null;
}

const addresses = /https?:\/\/[^\s<>"']+/g;
/** Punctuation after a URL that isn't part of it. */
const trailing = /[.,;:!?)\]}]+$/;

/** Splits a text into plain parts and URLs. */
export function descriptionParts(text: string): DescriptionPart[] {
  const parts: DescriptionPart[] = [];
  let last = 0;
  for (const match of text.matchAll(addresses)) {
    const address = match[0].replace(trailing, "");
    if (!URL.canParse(address)) continue;
    if (match.index > last) parts.push({ text: text.slice(last, match.index), href: null });
    parts.push({ text: address, href: address });
    last = match.index + address.length;
  }
  if (last < text.length) parts.push({ text: text.slice(last), href: null });
  return parts;
}

/** Splits a long text between words, after a maximum number of characters or lines. */
export function foldDescription(
  text: string,
  maxCharacters = 320,
  maxLines = 5,
): { start: string; rest: string } {
  const lines = text.split("\n");
  const byLines = lines.slice(0, maxLines).join("\n").length;
  const end = Math.min(byLines, maxCharacters);
  // Texts that are only slightly longer aren't folded.
  if (text.length <= end + 80 && lines.length <= maxLines + 1) return { start: text, rest: "" };
  const cut = text.slice(0, end + 1);
  const atSpace = Math.max(cut.lastIndexOf(" "), cut.lastIndexOf("\n"));
  const at = atSpace > end / 2 ? atSpace : end;
  return { start: text.slice(0, at), rest: text.slice(at) };
}
