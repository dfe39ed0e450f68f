import { parse, type Container, type Declaration, type Root } from "postcss";

/**
 * The part of a page's styles that decides how a few elements stand: all that a page needs while
 * nothing but its film is shown. `names` are theirs, tags as `main`, classes as `.player`. A rule
 * stays where its selector asks for no other names, or speaks of that state itself (`[data-film]`);
 * type, motion and custom properties that nothing left asks for go. What stays keeps its order and
 * its layers.
 */
export function placeStyles(css: string, names: ReadonlySet<string>): string {
  const sheet = parse(css);
  sheet.walkAtRules(/^(font-face|keyframes)$/, (rule) => void rule.remove());
  sheet.walkRules((rule) => {
    const selectors = rule.selectors.filter((selector) => canMatch(selector, names));
    if (selectors.length === 0) rule.remove();
    else if (selectors.length < rule.selectors.length) rule.selectors = selectors;
  });
  const used = usedProperties(sheet);
  sheet.walkDecls(/^--/, (property) => {
    if (!used.has(property.prop)) property.remove();
  });
  sheet.walkAtRules("property", (rule) => {
    if (!used.has(rule.params)) rule.remove();
  });
  removeEmpty(sheet);
  return sheet.toString();
}

/** Brackets of `:not(…)` and its like, with brackets in them. */
const condition = /:([\w-]+)\(((?:[^()]|\((?:[^()]|\([^()]*\))*\))*)\)/g;
const attribute = /\[[^\]]*\]/g;
/** Parts that a browser adds to its controls: a film has none while it stands alone. */
const foreignPart = /::(?!before|after|backdrop)/;
const name = /([.#:]*)([\w\uE000-\uF8FF-]+)/g;

/** Marks of a name that would read as marks of the selector become characters of no other use. */
function plain(text: string): string {
  return text.replaceAll(/[^\w-]/g, (mark) => String.fromCharCode(0xe000 + mark.charCodeAt(0)));
}

function canMatch(written: string, names: ReadonlySet<string>): boolean {
  if (written.includes("[data-film")) return true;
  if (foreignPart.test(written)) return false;
  let isPossible = true;
  const selector = written
    .replaceAll(/\\(.)/g, (_, mark: string) => plain(mark))
    .replaceAll(attribute, "")
    .replaceAll(condition, (_, kind: string, inside: string) => {
      const asked = namesIn(inside);
      if ((kind === "is" || kind === "where") && asked.length > 0) {
        isPossible &&= asked.some((one) => names.has(one));
      }
      return "";
    });
  return isPossible && namesIn(selector).every((one) => names.has(one));
}

/** Tags as they are, classes with their point. */
function namesIn(selector: string): string[] {
  return [...selector.matchAll(name)]
    .filter(([, mark = ""]) => !mark.startsWith(":"))
    .map(([whole]) => whole);
}

/** The names of all elements of a piece of a page. */
export function namesWithin(html: string): Set<string> {
  const names = ["html", "body"];
  for (const [, tag = "", attributes = ""] of html.matchAll(/<([a-z][a-z0-9]*)([^>]*)>/g)) {
    const classes = / class="([^"]*)"/.exec(attributes)?.[1] ?? "";
    names.push(tag);
    for (const one of classes.split(/\s+/)) if (one !== "") names.push(`.${plain(one)}`);
  }
  return new Set(names);
}

function propertiesIn(value: string): string[] {
  return [...value.matchAll(/var\(\s*(--[\w-]+)/g)].map(([, property = ""]) => property);
}

/** Custom properties that a real one asks for, at first hand or through others. */
function usedProperties(sheet: Root): Set<string> {
  const definitions = new Map<string, string[]>();
  const used = new Set<string>();
  sheet.walkDecls(({ prop, value }: Declaration) => {
    const asked = propertiesIn(value);
    if (!prop.startsWith("--")) asked.forEach((one) => used.add(one));
    else definitions.set(prop, [...(definitions.get(prop) ?? []), ...asked]);
  });
  // A set that grows while it is walked is walked to its end.
  for (const one of used) definitions.get(one)?.forEach((asked) => used.add(asked));
  return used;
}

/** A statement like `@layer a, b;` has no content by nature, and stays: it fixes an order. */
function removeEmpty(container: Container): void {
  container.each((node) => {
    if (!("nodes" in node) || node.nodes === undefined) return;
    removeEmpty(node);
    if (node.nodes.length === 0) node.remove();
  });
}
