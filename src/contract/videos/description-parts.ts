interface DescriptionPart {
  text: string;
  /** HTTP(S) URL, or null for plain text. */
  href: string | null;
}

/** URLs. They contain brackets only in pairs, and no East Asian punctuation. */
export const addresses =
  /https?:\/\/(?:[^\s<>"'()[\]{}。、，！？：；（）「」『』【】《》]|\([^\s<>"'()]*\)|\[[^\s<>"'[\]]*\]|\{[^\s<>"'{}]*\})+/g;
/** Punctuation after a URL that isn't part of it. Only its first character starts a match. */
const trailing = /(?<![.,;:!?])[.,;:!?]+$/;

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
