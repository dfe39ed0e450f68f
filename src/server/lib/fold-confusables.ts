/** Characters that look like a Latin letter, grouped by that letter. */
const lookalikes: Record<string, string> = {
  a: "4@аɑαаᴀ",
  b: "вьЬβʙ",
  c: "ссϲᴄ¢",
  d: "ԁɗᴅđ",
  e: "3еєеεҽᴇ€",
  f: "ƒϝꜰ",
  g: "9ɡɢց",
  h: "һнʜհ",
  i: "1lL|!іıιӏїɩɪƖ",
  j: "јϳᴊ",
  k: "кκᴋ",
  m: "мᴍ",
  n: "пηռɴи",
  o: "0оοοσөᴏօ",
  p: "рρᴘþ",
  q: "ԛզ",
  r: "гʀᴦɾ",
  s: "5$ѕꜱ§",
  t: "7тτᴛ+",
  u: "υцᴜսμ",
  v: "ѵνᴠ",
  w: "ԝωѡᴡш",
  x: "хχ×",
  y: "уүγʏ",
  z: "2ᴢ",
};
const latin = new Map(
  Object.entries(lookalikes).flatMap(([letter, list]) =>
    [...list].map((each) => [each, letter] as const),
  ),
);

/**
 * Reduces a name to its appearance. Drops case, marks, invisible characters, spaces and
 * punctuation, and replaces similar letters with the same letter. Names with equal results can be
 * confused (based on the skeleton in Unicode Technical Standard 39).
 */
export function foldConfusables(text: string): string {
  const plain = text
    .normalize("NFKD")
    .replace(/[\p{M}\p{Cf}\p{Cc}\p{Default_Ignorable_Code_Point}]/gu, "")
    .toLowerCase()
    // Pairs of letters that look like one letter.
    .replaceAll("rn", "m")
    .replaceAll("vv", "w");
  return [...plain]
    .map((each) => latin.get(each) ?? each)
    .join("")
    .replace(/[^\p{L}\p{N}]/gu, "");
}
