import { createContext } from "react";
import { escapeHtml } from "#contract/escape-html.ts";

/**
 * Video that a page opens with and that starts automatically. The first script of the page creates
 * its element and requests its file, see app/first-frame/.
 */
export interface FirstVideo {
  src: string;
  /** Attributes of the element besides `src`. Boolean attributes have an empty value. */
  attributes: Readonly<Record<string, string>>;
}

/** Server-rendered placeholder for the element of the first video. */
export interface FirstVideoPlace {
  src: string;
  placeHtml: string;
}

/** Set while the server renders a page that opens with a video. Null in the browser. */
export const FirstVideoContext = createContext<FirstVideoPlace | null>(null);

export function attributesHtml(attributes: Readonly<Record<string, string>>): string {
  return Object.entries(attributes)
    .map(([name, value]) => (value === "" ? ` ${name}` : ` ${name}="${escapeHtml(value)}"`))
    .join("");
}
