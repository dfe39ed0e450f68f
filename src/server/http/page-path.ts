/** Control characters in a path. No slug holds one, and PostgreSQL cannot even look for NUL. */
const controlCharacter = /%(?:[01][0-9a-f]|7f)/i;

export const hasControlCharacter = (path: string): boolean =>
  path.includes("%") && controlCharacter.test(path);

/** Whether an address can be a page: its path can be decoded, and it names no other host. */
export function isPageAddress(url: string): boolean {
  const [path = ""] = url.split("?", 1);
  try {
    decodeURIComponent(path);
    // The database cannot look for NUL, which would make the page a failure.
    if (url.includes("%00")) return false;
    return (
      !hasControlCharacter(path) && URL.canParse(url, "http://localhost") && !url.startsWith("//")
    );
  } catch {
    return false;
  }
}
