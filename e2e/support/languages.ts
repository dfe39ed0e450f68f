import { textsOf } from "#texts/languages.ts";
import type { Messages } from "#texts/messages.ts";

/** Languages of the pages that a test visits: English and a right-to-left language. */
export const languages: readonly { language: string; prefix: string; texts: Messages }[] = [
  { language: "English", prefix: "", texts: textsOf("en") },
  { language: "Arabic", prefix: "/ar", texts: textsOf("ar") },
];
