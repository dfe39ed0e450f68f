import { originsOf } from "../../contract/html-sources.ts";

/** Returns the origins of one ad: those it lists, and those in its HTML. */
export const originsOfAd = (ad: { content: string | null; origins: readonly string[] }) => [
  ...ad.origins,
  ...originsOf(ad.content ?? ""),
];
