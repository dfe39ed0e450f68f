import { decodeNamedCharacterReference } from "decode-named-character-reference";
import { secondsOf } from "../time-codes.ts";

const timePattern = /^\s*(?:(\d{1,4}):)?(\d{1,3}):(\d{1,2})(?:[.,:](\d{1,3}))?\d*\s*$/;
/** 100 hours. */
const maxTimeMs = 360_000_000;

/** Parses "1:02:03,450", "02:03.45" or "0:01:02.5"; null for anything else. */
export function parseTime(text: string): number | null {
  const match = timePattern.exec(text);
  if (match === null) return null;
  const [, hours, minutes, seconds, fraction = "0"] = match;
  const ms = secondsOf(hours, minutes, seconds) * 1000 + Number(fraction.padEnd(3, "0"));
  return ms <= maxTimeMs ? ms : null;
}

/** Allowed tags. All other HTML, WebVTT and ASS tags are dropped, but their content stays. */
const allowedTags = new Set(["b", "i", "u", "ruby", "rt"]);
/** Tags whose content isn't text. */
const silentTags = new Set(["script", "style"]);
const maxLength = 2_000;

/** Decodes a character reference of HTML: `&eacute;`, `&#39;` or `&#x2019;`. */
function decodeReference(whole: string, name: string): string {
  const [, hex, decimal] = /^#(?:x([\da-f]{1,6})|(\d{1,7}))$/i.exec(name) ?? [];
  const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16);
  if (Number.isNaN(code)) return decodeNamedCharacterReference(name) || whole;
  // Surrogates and numbers beyond Unicode name no character.
  const isCharacter = code > 0 && code <= 0x10ffff && (code < 0xd800 || code > 0xdfff);
  return isCharacter ? String.fromCodePoint(code) : "\ufffd";
}

/**
 * Matches a tag: `<` before a letter, a slash or a time, up to the next `>`. Any other `<` is an
 * ordinary character.
 */
const tagPattern = /<(\/?)([a-zA-Z]*)(?![a-zA-Z])([^<>\n]*)>/g;
// oxlint-disable-next-line no-control-regex -- matches characters that players don't show
const controls = /[\u0000-\u0009\u000b-\u001f\u007f\ufeff\ufffe\uffff]/g;

interface Token {
  kind: "text" | "open" | "close";
  value: string;
}

function* tokensOf(text: string): Generator<Token> {
  let at = 0;
  let silent: string | null = null;
  for (const match of text.matchAll(tagPattern)) {
    const [whole, slash = "", word = "", rest = ""] = match;
    const isTime = word === "" && /^[\d:.]+$/.test(rest);
    if (word === "" && !isTime) continue;
    const name = word.toLowerCase();
    if (silent === null && match.index > at) {
      yield { kind: "text", value: text.slice(at, match.index) };
    }
    at = match.index + whole.length;
    if (silent !== null) {
      if (slash === "/" && name === silent) silent = null;
    } else if (silentTags.has(name)) silent = slash === "/" ? null : name;
    else if (allowedTags.has(name)) yield { kind: slash === "/" ? "close" : "open", value: name };
  }
  if (silent === null && at < text.length) yield { kind: "text", value: text.slice(at) };
}

/** Writes tokens with all tags closed in the reverse order of their opening. */
function join(tokens: Iterable<Token>, write: (text: string) => string): string {
  const open: string[] = [];
  let text = "";
  for (const { kind, value } of tokens) {
    if (kind === "text") text += write(value);
    else if (kind === "open" && !open.includes(value) && open.length < 8) {
      open.push(value);
      text += `<${value}>`;
    } else if (kind === "close" && open.includes(value)) {
      const inner = open.splice(open.indexOf(value));
      text += inner
        .toReversed()
        .map((name) => `</${name}>`)
        .join("");
      // A reading ends with its base text.
      for (const name of inner.slice(1).filter((each) => each !== "rt")) {
        open.push(name);
        text += `<${name}>`;
      }
    }
  }
  return (
    text +
    open
      .toReversed()
      .map((name) => `</${name}>`)
      .join("")
  );
}

const tidy = (text: string): string =>
  text
    .replaceAll(/\r\n?/g, "\n")
    .replaceAll(controls, "")
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "")
    .join("\n");

/**
 * Returns a line's text for editing: plain characters and allowed tags, without empty lines.
 * @param hasEntities true to decode character references such as `&amp;`, as files contain them.
 */
export function cleanText(text: string, { hasEntities = false } = {}): string {
  const decode = (part: string): string =>
    hasEntities ? part.replaceAll(/&(#?\w{1,31});/g, decodeReference) : part;
  const short = text.length > maxLength * 4 ? text.slice(0, maxLength * 4) : text;
  const cleaned = tidy(join(tokensOf(short.toWellFormed()), decode));
  return cleaned.length > maxLength
    ? plainText(cleaned).slice(0, maxLength).toWellFormed()
    : cleaned;
}

/** Converts text from `cleanText` to WebVTT. Escapes characters that have a meaning there. */
export function toVttText(text: string): string {
  const escape = (part: string): string =>
    part.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
  return tidy(join(tokensOf(text.toWellFormed()), escape));
}

/** Returns only the words, without tags and without readings such as furigana. */
export function plainText(text: string): string {
  let words = "";
  let isRuby = false;
  let isReading = false;
  for (const { kind, value } of tokensOf(text)) {
    if (kind === "text") words += isReading ? "" : value;
    else if (value === "ruby" || value === "rt") {
      if (value === "ruby") isRuby = kind === "open";
      isReading = isRuby && value === "rt" && kind === "open";
    }
  }
  return words;
}
