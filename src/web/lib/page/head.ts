import { escapeHtml } from "#contract/escape-html.ts";

/** Head of a page, for browsers, search engines and link previews. */
export interface Head {
  title: string;
  description?: string | null;
  /** Absolute URL. Absent for pages that search engines must not index. */
  canonical?: string | null;
  /** `name` or `property`, then the content, in this order. */
  meta?: { name: string; content: string }[];
  links?: { rel: string; href: string; type?: string; title?: string; hreflang?: string }[];
  /** Structured data, one script each. */
  jsonLd?: object[];
}

/** Returns JSON that is safe inside a script element. */
export function scriptJson(value: unknown): string {
  return JSON.stringify(value).replace(
    /[<\u2028\u2029]/g,
    (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

interface HeadTag {
  tag: "meta" | "link" | "script";
  attributes: Record<string, string>;
  text?: string;
}

const propertyPrefix = /^(og|video|article|profile|fb):/;

function headTags(head: Head): HeadTag[] {
  const tags: HeadTag[] = [];
  if (head.description) {
    tags.push({ tag: "meta", attributes: { name: "description", content: head.description } });
  }
  if (head.canonical) {
    tags.push({ tag: "link", attributes: { rel: "canonical", href: head.canonical } });
  }
  for (const { name, content } of head.meta ?? []) {
    const key = propertyPrefix.test(name) ? "property" : "name";
    tags.push({ tag: "meta", attributes: { [key]: name, content } });
  }
  for (const link of head.links ?? []) {
    const attributes: Record<string, string> = { rel: link.rel, href: link.href };
    if (link.type !== undefined) attributes.type = link.type;
    if (link.title !== undefined) attributes.title = link.title;
    if (link.hreflang !== undefined) attributes.hreflang = link.hreflang;
    tags.push({ tag: "link", attributes });
  }
  for (const object of head.jsonLd ?? []) {
    tags.push({
      tag: "script",
      attributes: { type: "application/ld+json" },
      text: scriptJson(object),
    });
  }
  return tags;
}

/** Attribute of the tags that a navigation replaces. */
const marker = "data-page";

export function headToHtml(head: Head): string {
  const lines = [`<title>${escapeHtml(head.title)}</title>`];
  for (const { tag, attributes, text } of headTags(head)) {
    const list = Object.entries(attributes)
      .map(([name, value]) => ` ${name}="${escapeHtml(value)}"`)
      .join("");
    lines.push(`<${tag}${list} ${marker}${tag === "script" ? `>${text ?? ""}</script>` : ">"}`);
  }
  return lines.join("");
}

/** Replaces the head of the previous page after a navigation. */
export function applyHead(head: Head): void {
  document.title = head.title;
  for (const old of document.head.querySelectorAll(`[${marker}]`)) old.remove();
  for (const { tag, attributes, text } of headTags(head)) {
    const element = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
    element.setAttribute(marker, "");
    if (text !== undefined) element.textContent = text;
    document.head.append(element);
  }
}
