import { textsOf } from "#texts/languages.ts";
import type { Messages } from "#texts/messages.ts";

/** Reason why a video is in a list: the name of a text and its subject. */
export interface VideoReason {
  kind: keyof Messages["reasonsOfLists"];
  /** Name of a video or label. */
  name?: string;
  count?: number;
}

const number = new Intl.NumberFormat("en");

/** Reason why a video is in a list: in English, and in a form that pages translate. */
export interface ReasonFields {
  why: string;
  reason: VideoReason;
}

function whyText({ kind, name = "", count }: VideoReason): string {
  const text = textsOf("en").reasonsOfLists[kind];
  if (typeof text === "string") return text;
  if (count === undefined) return text(name);
  const shown = number.format(count);
  if (!kind.startsWith("views")) return text(shown);
  return text(`${shown} ${count === 1 ? "view" : "views"}`);
}

export const reasonFields = (reason: VideoReason): ReasonFields => ({
  why: whyText(reason),
  reason,
});
