import { originsOf } from "../../contract/html-sources.ts";

/** Returns the origins of one ad: those that it lists, and those that its HTML names. */
export const originsOfAd = (ad: { content: string | null; origins: readonly string[] }) => [
  ...ad.origins,
  ...originsOf(ad.content ?? ""),
];
