import { toast } from "../ui/toast.tsx";
import { saveMessages as messages } from "./messages.ts";

/** Tells the visitor that a change of the library lasts only until the page is closed. */
export const reportLost = (): void => toast.error(messages.notStored);

/** @param isStored result of a change of the library. */
export function reportIfLost(isStored: boolean): void {
  if (!isStored) reportLost();
}
