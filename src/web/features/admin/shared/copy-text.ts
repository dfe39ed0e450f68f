import { notify } from "./notices.tsx";

/** Copies a text and shows the result in a toast. */
export async function copyText(
  text: string,
  messages: { copied: string; copyFailed: string },
): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    notify.success(messages.copied);
  } catch (error) {
    console.warn("The clipboard is out of reach", error);
    notify.failure(messages.copyFailed);
  }
}
