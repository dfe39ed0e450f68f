/**
 * Converts a title or name to its form in addresses: ASCII letters and digits after folding
 * accents, joined by single hyphens. The result has at most `max` characters and is cut between
 * words if possible. It is "" if nothing remains (a title in another script). Callers then use an
 * id.
 */
export function slugify(text: string, max = 80): string {
  const slug = text
    .normalize("NFKD")
    .replace(/\p{M}+/gu, "")
    .replace(/ß/g, "ss")
    .replace(/[øØ]/g, "o")
    .replace(/[æÆ]/g, "ae")
    .replace(/[đĐ]/g, "d")
    .replace(/[łŁ]/g, "l")
    .toLowerCase()
    .replace(/['’]/g, "")
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-+|-+$/g, "");
  if (slug.length <= max) return slug;
  const cut = slug.slice(0, max + 1);
  const atWord = cut.slice(0, Math.max(cut.lastIndexOf("-"), 0));
  return (atWord.length > max / 2 ? atWord : slug.slice(0, max)).replace(/-+$/, "");
}
