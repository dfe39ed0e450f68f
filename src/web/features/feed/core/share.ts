import { copyText, shareByDevice } from "#web/lib/copy-text.ts";
import { feedMessages as messages } from "../messages.ts";

/** Opens the device's share sheet, or copies the link if there is none. */
export async function shareClip(title: string, url: string): Promise<void> {
  if (await shareByDevice(title, url)) return;
  if (await copyText(url)) window.alert(messages.linkCopied);
  else window.prompt(messages.linkIs(title), url);
}
