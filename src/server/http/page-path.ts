/** Whether an address can be a page: its path can be decoded, and the database can look for its query. */
export function isPageAddress(url: string): boolean {
  const [path = ""] = url.split("?", 1);
  try {
    decodeURIComponent(path);
    // The database cannot look for NUL, which would make the page a failure.
    return !url.includes("%00");
  } catch {
    return false;
  }
}
