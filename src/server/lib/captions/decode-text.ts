import { cleanLanguage } from "../track-language.ts";

/** Legacy encodings by language, as browsers decode old pages. */
const formerEncodings: readonly (readonly [languages: string, encoding: string])[] = [
  ["bs cs hr hu pl ro sk sl sq", "windows-1250"],
  ["be bg kk ky mk mn ru sr tg uk", "windows-1251"],
  ["el", "windows-1253"],
  ["az tr", "windows-1254"],
  ["he yi", "windows-1255"],
  ["ar fa ur", "windows-1256"],
  ["et lt lv", "windows-1257"],
  ["vi", "windows-1258"],
  ["th", "windows-874"],
  ["ja", "shift_jis"],
  ["ko", "euc-kr"],
  ["zh", "gb18030"],
];

/**
 * Decodes a caption file: UTF-8 or UTF-16, otherwise the legacy encoding of its language. A file is
 * UTF-8 if it has more characters in UTF-8 than bytes that are none, which become U+FFFD.
 */
export function decodeText(bytes: Uint8Array, language: string | null): string {
  const utf16 = findUtf16(bytes);
  if (utf16 !== null) return new TextDecoder(utf16).decode(bytes);
  const text = new TextDecoder("utf-8").decode(bytes);
  const invalid = countReplaced(text);
  if (invalid === 0) return text;
  const valid = text.match(/[^\u0000-\u007f\ufffd]/gu)?.length ?? 0;
  return valid > invalid ? text : new TextDecoder(formerEncoding(language)).decode(bytes);
}

/** Counts the characters that replace invalid bytes. */
export const countReplaced = (text: string): number => text.split("\ufffd").length - 1;

/**
 * Detects UTF-16 by its byte order mark, or by a zero byte in the first character, because all
 * formats start with ASCII.
 */
function findUtf16([first, second]: Uint8Array): "utf-16le" | "utf-16be" | null {
  if ((first === 0xff && second === 0xfe) || (first !== 0 && second === 0)) return "utf-16le";
  if ((first === 0xfe && second === 0xff) || (first === 0 && second !== 0)) return "utf-16be";
  return null;
}

function formerEncoding(given: string | null): string {
  const locale = new Intl.Locale(cleanLanguage(given)).maximize();
  if (locale.language === "zh" && locale.script === "Hant") return "big5";
  const found = formerEncodings.find(([languages]) =>
    languages.split(" ").includes(locale.language),
  );
  return found?.[1] ?? "windows-1252";
}
