import { toast } from "../../components/ui/toast.tsx";
import { videoPageMessages as messages } from "./messages.ts";

/** Copies where the clipboard's own interface is missing (plain http). Answers whether it worked. */
function copyTheOldWay(text: string): boolean {
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
    return copyTheOldWay(text);
  }
}

/** The device's own way of sharing where there is one, else the link goes to the clipboard. */
export async function shareLink(title: string, url: string): Promise<void> {
  if (typeof navigator.share === "function") {
    try {
      await navigator.share({ title, url });
      return;
    } catch (error) {
      // The person changed their mind: nothing to copy, nothing to say.
      if (error instanceof DOMException && error.name === "AbortError") return;
    }
  }
  if (await copy(url)) toast.success(messages.linkCopied);
  else toast.error(messages.linkNotCopied);
}
