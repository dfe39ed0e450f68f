import { isScriptType } from "../../../../contract/ad-frame.ts";
import { isScriptOrigin } from "../../../http/access/security-headers.ts";

/** A `<script>` of an ad that the operator trusts to run in the page. */
export interface HtmlScript {
  src: string | null;
  /** Source text of an inline script, "" for one with `src`. */
  code: string;
}

/**
 * The scripts of an HTML fragment in document order, without data blocks: the scripts that a browser
 * finds, in the same order. Comments are skipped, quoted attributes may contain `>`.
 */
export function listScripts(html: string): HtmlScript[] {
  const scripts: HtmlScript[] = [];
  const opening = /<!--|<script(?=[\s/>])/gi;
  const closing = /<\/script(?=[\s/>])/gi;
  // An unclosed comment or tag ends the search, so the text is read once.
  for (let match = opening.exec(html); match !== null; match = opening.exec(html)) {
    const isComment = match[0] === "<!--";
    const from = opening.lastIndex;
    const end = isComment ? html.indexOf("-->", from) : endOfTag(html, from);
    if (end < 0) return scripts;
    opening.lastIndex = end + (isComment ? 3 : 1);
    if (isComment) continue;

    closing.lastIndex = end + 1;
    const close = closing.exec(html);
    const closeEnd = close === null ? -1 : html.indexOf(">", closing.lastIndex);
    if (close === null || closeEnd < 0) return scripts;
    opening.lastIndex = closeEnd + 1;

    const attributes = html.slice(from, end);
    if (!isScriptType(attributeOf(attributes, "type") ?? "")) continue;
    const src = attributeOf(attributes, "src");
    scripts.push({ src, code: src === null ? html.slice(end + 1, close.index) : "" });
  }
  return scripts;
}

/** The position of the `>` that ends a tag; one inside quotes does not. */
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

/** The origins of the scripts, as a Content Security Policy lists them. */
export function scriptOrigins(html: string): string[] {
  const origins = outsideScripts(html).map(({ origin }) => origin);
  return [...new Set(origins)].filter(isScriptOrigin);
}

/** Addresses of scripts whose host cannot be listed in a Content Security Policy. */
export function unusableScripts(html: string): string[] {
  return outsideScripts(html)
    .filter(({ origin }) => !isScriptOrigin(origin))
    .map(({ src }) => src);
}

/** The scripts that come from other sites. An address that cannot be parsed has the origin "". */
function outsideScripts(html: string): { src: string; origin: string }[] {
  return listScripts(html).flatMap(({ src }) => {
    if (src === null) return [];
    const url = URL.parse(src.trim(), "https://self.invalid");
    if (url === null) return [{ src, origin: "" }];
    if (!/^https?:$/.test(url.protocol) || url.hostname === "self.invalid") return [];
    return [{ src, origin: url.origin }];
  });
}
