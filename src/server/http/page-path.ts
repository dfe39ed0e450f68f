/**
 * Returns whether an address can be a page, because its path can be decoded and the database
 * accepts its query.
 */
export function isPageAddress(url: string): boolean {
  const [path = ""] = url.split("?", 1);
  try {
    decodeURIComponent(path);
    // The database can't search for NUL, so the page would fail.
    return !url.includes("%00");
  } catch {
    return false;
  }
}
