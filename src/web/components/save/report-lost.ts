import { inLanguage } from "#web/lib/language/page-language.ts";
import { toast } from "../ui/toast.tsx";

const messages = inLanguage("save");

/** Warns the visitor that a change to the visitor library lasts only until the page is closed. */
export const reportLost = (): void => toast.error(messages.notStored);

/** @param isStored whether the browser stored a change to the visitor library. */
export function reportIfLost(isStored: boolean): void {
  if (!isStored) reportLost();
}

/** Confirms a change to the visitor library, or warns that the browser didn't store it. */
export function reportStored(isStored: boolean, text: string): void {
  if (isStored) toast.success(text);
  else reportLost();
}
