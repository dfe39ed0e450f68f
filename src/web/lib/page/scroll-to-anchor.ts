/** Scrolls to the element for a hash such as `#section-branding`, if the page shows it. */
export function scrollToAnchor(hash: string): void {
  let id = hash.slice(1);
  try {
    id = decodeURIComponent(id);
  } catch {
    // The hash isn't encoded, so it is used unchanged.
  }
  document.getElementById(id)?.scrollIntoView();
}
