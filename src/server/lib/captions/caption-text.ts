/** Tags that may stand in a line; everything else of HTML, WebVTT and ASS is dropped, its text stays. */
const allowedTags = new Set(["b", "i", "u", "ruby", "rt"]);
/** Their content is no text. */
const silentTags = new Set(["script", "style"]);
const maxLength = 2_000;

const entities: Record<string, string> = {
  amp: "&",
  lt: "<",
  gt: ">",
  nbsp: "\u00a0",
  lrm: "\u200e",
  rlm: "\u200f",
  quot: '"',
};

/** A tag: `<` before a letter, a slash or a time, up to the next `>`. Any other `<` is a character. */
const tagPattern = /<(\/?)([a-zA-Z]*)(?![a-zA-Z])([^<>\n]*)>/g;
// oxlint-disable-next-line no-control-regex -- what no player shows
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

/** Writes tokens with every tag closed in the order in which it was opened. */
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
      for (const name of inner.slice(1)) {
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
 * The text of a line as people edit it: plain characters and the allowed tags, without empty lines.
 * @param hasEntities decodes `&amp;` and the like, as WebVTT has them.
 */
export function cleanText(text: string, { hasEntities = false } = {}): string {
  const decode = (part: string): string =>
    hasEntities
      ? part.replaceAll(/&(\w{1,8});/g, (whole, name: string) => entities[name] ?? whole)
      : part;
  const short = text.length > maxLength * 4 ? text.slice(0, maxLength * 4) : text;
  const cleaned = tidy(join(tokensOf(short.toWellFormed()), decode));
  return cleaned.length > maxLength
    ? plainText(cleaned).slice(0, maxLength).toWellFormed()
    : cleaned;
}

/** The same as WebVTT: characters that have a meaning there are escaped. */
export function toVttText(text: string): string {
  const escape = (part: string): string =>
    part.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
  return tidy(join(tokensOf(text.toWellFormed()), escape));
}

/** The words alone. */
export function plainText(text: string): string {
  return join(
    [...tokensOf(text)].filter(({ kind }) => kind === "text"),
    (part) => part,
  );
}
