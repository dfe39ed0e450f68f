import { toast } from "../../components/ui/toast.tsx";
import { videoPageMessages as messages } from "./messages.ts";

/** Copies where the Clipboard API is missing (plain http). Returns whether it worked. */
function copyBySelection(text: string): boolean {
  const area = document.createElement("textarea");
  area.value = text;
  area.style.position = "fixed";
  area.style.opacity = "0";
  document.body.append(area);
  area.select();
  try {
    return document.execCommand("copy");
  } catch {
    return false;
  } finally {
    area.remove();
  }
}

async function copy(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return copyBySelection(text);
  }
}

/** Opens the device's share sheet where there is one, or copies the link. */
export async function shareLink(title: string, url: string): Promise<void> {
  if (typeof navigator.share === "function") {
    try {
      await navigator.share({ title, url });
      return;
    } catch (error) {
      // The visitor closed the sheet.
      if (error instanceof DOMException && error.name === "AbortError") return;
    }
  }
  if (await copy(url)) toast.success(messages.linkCopied);
  else toast.error(messages.linkNotCopied);
}
