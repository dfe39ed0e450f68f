/**
 * Returns the languages of an Accept-Language header, best first, in lower case: `de-ch`, `de`,
 * `en`.
 */
export function languagesOf(acceptLanguage: string | undefined): string[] {
  if (acceptLanguage === undefined) return [];
  return acceptLanguage
    .slice(0, 500)
    .split(",")
    .map((part) => {
      const [tag = "", ...parameters] = part.trim().toLowerCase().split(";");
      const quality = parameters.map((p) => /^\s*q=([\d.]+)$/.exec(p)?.[1]).find(Boolean);
      return { tag: tag.trim(), quality: quality === undefined ? 1 : Number(quality) };
    })
    .filter(({ tag, quality }) => /^[a-z]{2,3}(-[a-z0-9]{2,8})*$/.test(tag) && quality > 0)
    .toSorted((a, b) => b.quality - a.quality)
    .map(({ tag }) => tag);
}
