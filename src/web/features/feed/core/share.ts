import { feedMessages as messages } from "../messages.ts";

/** Opens the device's share sheet where there is one, or copies the link. */
export async function shareClip(clip: { slug: string; title: string }): Promise<void> {
  const url = new URL(`/feed/${encodeURIComponent(clip.slug)}`, window.location.origin).href;
  if (typeof navigator.share === "function") {
    try {
      await navigator.share({ title: clip.title, url });
      return;
    } catch (error) {
      // The visitor closed the sheet. Any other error falls back to the clipboard.
      if (error instanceof DOMException && error.name === "AbortError") return;
    }
  }
  try {
    await navigator.clipboard.writeText(url);
    window.alert(messages.linkCopied);
  } catch (error) {
    console.warn("the clipboard refused", error);
    window.prompt(messages.linkIs(clip.title), url);
  }
}
