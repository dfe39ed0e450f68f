import {
  childrenOf,
  isNode,
  isPublicSide,
  lineOf,
  parse,
  textsOf,
  valueOf,
} from "./syntax-tree.ts";
import type { Node } from "./syntax-tree.ts";

/** Addresses without a language: other sites, anchors, queries, files, the API, the back office. */
const withoutLanguage = /^(?!\/)|\.\w+$|^\/(api|media|admin|auth|setup)(\/|$)/;

/** Expressions that don't contain the path of a page. */
const meant: Record<string, readonly string[]> = {
  "src/web/app/first-frame/theme-boot.ts": [
    // Puts the language into the address itself.
    '`/${own}${pathname === "/" ? "" : pathname}${search}${hash}`',
  ],
  // The address of the API.
  "src/web/features/comments/comment-form.tsx": ["path"],
  // A file created by the browser.
  "src/web/features/visitor-library/components/file-buttons.tsx": ["URL.createObjectURL(blob)"],
  // Link target of the advertiser.
  "src/ads/web/components/ad-creative.tsx": ["url"],
  "src/ads/web/components/companion-view.tsx": ["expandMacros(clickThrough, {}, pixelDeps)"],
  "src/ads/web/feed-ad.tsx": ["ad.linkUrl"],
  "src/ads/web/video/ad-controls.ts": ['linkUrl ?? ""', "url"],
  "src/ads/web/video/ad-icons.ts": ["icon.clickThrough"],
};

/**
 * Returns links of the public side that leave the page's language because `pagePath` doesn't make their
 * address, as `file:line: ...`. Router navigation keeps the language.
 */
export function findLooseLinks(file: string, text: string): string[] {
  if (!isPublicSide(file)) return [];
  const found: string[] = [];
  const sourceOf = ({ start, end }: Node) => text.slice(start, end);

  function check(address: Node): void {
    const source = sourceOf(address);
    const texts = textsOf(address);
    // A template that starts with an expression may be a page, unless it ends like a file name.
    const elsewhere = texts?.[0] === "" ? /\.\w+$/ : withoutLanguage;
    const isElsewhere = texts !== null && elsewhere.test(texts.join("x"));
    if (source.includes("pagePath(") || isElsewhere) return;
    if (meant[file]?.includes(source) === true) return;
    found.push(`${file}:${lineOf(text, address)}: a link without pagePath: ${source.slice(0, 60)}`);
  }

  function checkElement({ name, attributes }: Node): void {
    if (!isNode(name) || !/^(a|form|button|area)$/.test(sourceOf(name))) return;
    const own = Array.isArray(attributes) ? attributes.filter(isNode) : [];
    const nameOf = (attribute: Node) =>
      isNode(attribute["name"]) ? sourceOf(attribute["name"]) : "";
    // Links to another language contain that language.
    if (own.some((attribute) => nameOf(attribute) === "hrefLang")) return;
    for (const attribute of own) {
      const value = valueOf(attribute);
      if (value !== null && /^(href|action|formAction)$/.test(nameOf(attribute))) check(value);
    }
  }

  function visit(node: Node): void {
    const { type, callee, left, right } = node;
    if (type === "JSXOpeningElement") checkElement(node);
    if (type === "CallExpression" && isNode(callee)) {
      const [address] = Array.isArray(node["arguments"]) ? node["arguments"].filter(isNode) : [];
      const isLoad = /(^|\.)(location\.(assign|replace)|window\.open)$/.test(sourceOf(callee));
      if (isLoad && address !== undefined) check(address);
    }
    if (type === "AssignmentExpression" && isNode(left) && isNode(right))
      if (/\.href$|^(window\.)?location$/.test(sourceOf(left))) check(right);
    for (const child of childrenOf(node)) visit(child);
  }

  visit(parse(file, text));
  return found;
}
