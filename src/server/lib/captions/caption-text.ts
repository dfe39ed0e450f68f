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

/** Tags of stored and edited text. All other characters are text. */
const allowedTags = ["b", "i", "u", "ruby", "rt"];
const tagPattern = new RegExp(`<(/?)(${allowedTags.join("|")})>`, "gi");
/** Tags of WebVTT, and of HTML in caption files. In files, other words in `<>` are text. */
const formatTags = new Set(
  (
    "c v lang a abbr acronym article aside audio big blink blockquote body br button center cite " +
    "code del div em embed font footer form frame h1 h2 h3 h4 h5 h6 head header hr html iframe " +
    "img input ins kbd li link marquee math meta nobr object ol p pre q rb rp rtc s samp script " +
    "section small span strike strong style sub sup svg table tbody td th tr tt ul var video wbr"
  ).split(" "),
);
/** Matches a tag of a file: a name, optionally followed by classes or attributes, or a time. */
const fileTagPattern = /<(\/?)([a-z][a-z\d]*)(?:[ \t./][^<>\n]*)?>|<\d+:[\d:.]+>/gi;
/** Matches elements whose content isn't text. */
const silentPattern = /<(script|style)(?:[\s/][^<>]*)?>.*?(?:<\/\1(?:\s[^<>]*)?>|$)/gis;
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

// oxlint-disable-next-line no-control-regex -- matches characters that players don't show
const controls = /[\u0000-\u0009\u000b-\u001f\u007f\ufeff\ufffe\uffff]/g;

interface Token {
  kind: "text" | "open" | "close";
  value: string;
}

function* tokensOf(text: string): Generator<Token> {
  let at = 0;
  for (const match of text.matchAll(tagPattern)) {
    const [whole, slash, name = ""] = match;
    if (match.index > at) yield { kind: "text", value: text.slice(at, match.index) };
    at = match.index + whole.length;
    yield { kind: slash === "/" ? "close" : "open", value: name.toLowerCase() };
  }
  if (at < text.length) yield { kind: "text", value: text.slice(at) };
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

/** Returns a line's text for editing: plain characters and allowed tags, without empty lines. */
export function cleanText(text: string): string {
  const short = text.slice(0, maxLength * 4).toWellFormed();
  const cleaned = tidy(join(tokensOf(short), (part) => part));
  return cleaned.length > maxLength
    ? plainText(cleaned).slice(0, maxLength).toWellFormed()
    : cleaned;
}

/**
 * Returns the text of a line in a file for editing. Other tags of caption formats are dropped, but
 * their content stays.
 * @param hasEntities true to decode character references such as `&amp;`, as files contain them.
 */
export function cleanFileText(text: string, { hasEntities = false } = {}): string {
  const own = text
    .slice(0, maxLength * 4)
    .replaceAll(silentPattern, "")
    .replaceAll(fileTagPattern, (tag, slash = "", name = "") => {
      const lower = String(name).toLowerCase();
      if (allowedTags.includes(lower)) return `<${slash}${lower}>`;
      return lower === "" || formatTags.has(lower) ? "" : tag;
    });
  return cleanText(hasEntities ? own.replaceAll(/&(#?\w{1,31});/g, decodeReference) : own);
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
