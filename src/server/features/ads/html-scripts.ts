/** A `<script>` of an ad that the operator trusts to run in the page. */
export interface HtmlScript {
  src: string | null;
  /** Source text of an inline script, "" for one with `src`. */
  code: string;
}

const javascriptTypes = /^(|module|(text|application)\/(x-)?(java|ecma)script)$/i;

/**
 * The scripts of an HTML fragment in document order, data blocks left out: the same scripts, in the
 * same order, as the browser's parser finds. Comments are skipped, quoted attributes may hold `>`.
 */
export function listScripts(html: string): HtmlScript[] {
  const scripts: HtmlScript[] = [];
  const opening = /<!--|<script(?=[\s/>])/gi;
  const closing = /<\/script(?=[\s/>])/gi;
  // Whatever never ends, ends the search: the text is walked once.
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
    if (!javascriptTypes.test(attributeOf(attributes, "type")?.trim() ?? "")) continue;
    const src = attributeOf(attributes, "src");
    scripts.push({ src, code: src === null ? html.slice(end + 1, close.index) : "" });
  }
  return scripts;
}

/** Where the `>` of a tag stands, not counting those inside quotes. */
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

/** Origins that the scripts come from, as a Content Security Policy names them. */
export function scriptOrigins(html: string): string[] {
  const origins = listScripts(html).flatMap(({ src }) => {
    const url = src === null ? null : URL.parse(src, "https://self.invalid");
    if (url === null || !/^https?:$/.test(url.protocol)) return [];
    return url.hostname === "self.invalid" ? [] : [url.origin];
  });
  return [...new Set(origins)];
}
