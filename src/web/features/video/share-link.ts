import { toast } from "#web/components/ui/toast.tsx";
import { copyText, shareByDevice } from "#web/lib/copy-text.ts";
import { videoPageMessages as messages } from "./messages.ts";

/** Opens the device's share sheet if there is one, or copies the link. */
export async function shareLink(title: string, url: string): Promise<void> {
  if (await shareByDevice(title, url)) return;
  if (await copyText(url)) toast.success(messages.linkCopied);
  else toast.error(messages.linkNotCopied);
}
