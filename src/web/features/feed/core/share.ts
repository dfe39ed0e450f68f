import { feedMessages as messages } from "../messages.ts";

/** The device's own share sheet where there is one, otherwise the link goes to the clipboard. */
export async function shareClip(clip: { slug: string; title: string }): Promise<void> {
  const url = new URL(`/feed/${encodeURIComponent(clip.slug)}`, window.location.origin).href;
  if (typeof navigator.share === "function") {
    try {
      await navigator.share({ title: clip.title, url });
      return;
    } catch (error) {
      // Closing the sheet is an answer; a refusal of the browser is not.
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
