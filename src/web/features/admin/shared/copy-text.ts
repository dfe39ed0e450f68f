import { notify } from "./notices.tsx";

/** Copies a text, and shows in a toast whether it worked. */
export async function copyText(
  text: string,
  messages: { copied: string; copyFailed: string },
): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    notify.success(messages.copied);
  } catch (error) {
    console.warn("The clipboard isn't available", error);
    notify.failure(messages.copyFailed);
  }
}
