import { escapeHtml, scriptJson } from "./html-text.ts";

/** What a page says about itself to browsers, search engines and people who share it. */
export interface Head {
  title: string;
  description?: string | null;
  /** Absolute address; left out for pages that are not to be found. */
  canonical?: string | null;
  /** `name` or `property`, then the content. Order is kept. */
  meta?: { name: string; content: string }[];
  links?: { rel: string; href: string; type?: string; title?: string }[];
  /** Structured data, one script each. */
  jsonLd?: object[];
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

/** The marker tells the browser's side which tags belong to the page and go with it. */
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

/** Puts the head of the page that was navigated to in the place of the former one. */
export function applyHead(head: Head, target: Document = document): void {
  target.title = head.title;
  for (const old of target.head.querySelectorAll(`[${marker}]`)) old.remove();
  for (const { tag, attributes, text } of headTags(head)) {
    const element = target.createElement(tag);
    for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
    element.setAttribute(marker, "");
    if (text !== undefined) element.textContent = text;
    target.head.append(element);
  }
}
