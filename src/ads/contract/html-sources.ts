import { isScriptType } from "./ad-frame.ts";
import { isScriptOrigin } from "./ad-origins.ts";

interface HtmlTag {
  isFrame: boolean;
  src: string | null;
  /** Source text of an inline script, otherwise "". */
  code: string;
  /** True for an unclosed script, which browsers don't run. */
  isOpen: boolean;
}

/** `<script>` of an ad. */
export interface HtmlScript {
  src: string | null;
  /** Source text of an inline script, "" for one with `src`. */
  code: string;
}

/** Returns the scripts of an HTML fragment that a browser would find, in the same order. */
export function listScripts(html: string): HtmlScript[] {
  return listTags(html)
    .filter(({ isFrame, isOpen }) => !isFrame && !isOpen)
    .map(({ src, code }) => ({ src, code }));
}

/**
 * Returns scripts and frames in document order, without data blocks. Skips comments. Quoted
 * attributes may contain `>`.
 */
export function listTags(html: string): HtmlTag[] {
  const tags: HtmlTag[] = [];
  const opening = /<!--|<script(?=[\s/>])|<iframe(?=[\s/>])/gi;
  const closing = /<\/script(?=[\s/>])/gi;
  // An unclosed comment or tag ends the search, so the text is read only once.
  for (let match = opening.exec(html); match !== null; match = opening.exec(html)) {
    const isComment = match[0] === "<!--";
    const isFrame = /^<i/i.test(match[0]);
    const from = opening.lastIndex;
    const end = isComment ? html.indexOf("-->", from) : endOfTag(html, from);
    if (end < 0) return tags;
    opening.lastIndex = end + (isComment ? 3 : 1);
    if (isComment) continue;
    if (isFrame) {
      tags.push({
        isFrame,
        src: attributeOf(html.slice(from, end), "src"),
        code: "",
        isOpen: false,
      });
      continue;
    }

    closing.lastIndex = end + 1;
    const close = closing.exec(html);
    const closeEnd = close === null ? -1 : html.indexOf(">", closing.lastIndex);
    if (close === null || closeEnd < 0) {
      return [...tags, { isFrame, src: null, code: "", isOpen: true }];
    }
    opening.lastIndex = closeEnd + 1;

    const attributes = html.slice(from, end);
    if (!isScriptType(attributeOf(attributes, "type") ?? "")) continue;
    const src = attributeOf(attributes, "src");
    tags.push({
      isFrame,
      src,
      code: src === null ? html.slice(end + 1, close.index) : "",
      isOpen: false,
    });
  }
  return tags;
}

/** Returns the position of the `>` that ends a tag, ignoring quoted ones. */
function endOfTag(html: string, from: number): number {
  let quote = "";
  for (let at = from; at < html.length; at += 1) {
    const character = html[at] ?? "";
    if (quote !== "") {
      if (character === quote) quote = "";
    } else if (character === '"' || character === "'") quote = character;
    else if (character === ">") return at;
  }
  return -1;
}

function attributeOf(attributes: string, name: string): string | null {
  const pattern = /([^\s"'<>/=]+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'=<>`]+)))?/g;
  for (const match of attributes.matchAll(pattern)) {
    if (match[1]?.toLowerCase() === name) return match[2] ?? match[3] ?? match[4] ?? "";
  }
  return null;
}

/** Returns the origins of scripts and frames in the HTML. */
export function originsOf(html: string): string[] {
  const origins = outsideTags(html).map(({ origin }) => origin);
  return [...new Set(origins)].filter(isScriptOrigin);
}

/** Returns the addresses of scripts whose host can't be listed in a Content Security Policy. */
export function unusableScripts(html: string): string[] {
  return outsideTags(html)
    .filter(({ isFrame, origin }) => !isFrame && !isScriptOrigin(origin))
    .map(({ src }) => src);
}

/** Returns the tags with content from other sites. An invalid address has the origin "". */
function outsideTags(html: string): { isFrame: boolean; src: string; origin: string }[] {
  return listTags(html).flatMap(({ isFrame, src }) => {
    if (src === null) return [];
    const url = URL.parse(src.trim(), "https://self.invalid");
    if (url === null) return [{ isFrame, src, origin: "" }];
    if (!/^https?:$/.test(url.protocol) || url.hostname === "self.invalid") return [];
    return [{ isFrame, src, origin: url.origin }];
  });
}

/** Returns the origins of one ad: those it lists, and those in its HTML. */
export const originsOfAd = (ad: { content: string | null; origins: readonly string[] }) => [
  ...ad.origins,
  ...originsOf(ad.content ?? ""),
];
