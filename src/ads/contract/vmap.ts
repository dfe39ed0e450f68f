/** VMAP helpers shared by browser and server. They search the text without parsing the XML. */

/** Returns whether the text's root element is VMAP. */
export function isVmap(xml: string): boolean {
  return /^[^<]*(?:<[?!][^>]*>[^<]*){0,20}<(?:[\w.-]+:)?VMAP[\s>]/i.test(xml.slice(0, 10_000));
}

/** Returns the text of the breaks at these indexes of a VMAP document. */
export function textOfBreaks(xml: string, indexes: readonly number[]): string {
  const starts = [...xml.matchAll(/<(?:[\w.-]+:)?AdBreak[\s>]/gi)].map(({ index }) => index);
  return indexes
    .map((at) => {
      const start = starts[at];
      return start === undefined ? "" : xml.slice(start, starts[at + 1]);
    })
    .join("");
}
