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

const catalogues = /messages\.ts$|key-list\.ts$|ad-label\.ts$/;

/** Attributes whose text is shown or read aloud. */
const shownName =
  /^(aria-(label|description|roledescription|valuetext)|alt|title|placeholder|label|hint|.+Label|.+Text)$/;
/** Calls whose texts are for operators and developers. */
const unseenCall = /^(console\.\w+|\w*Error|super)$/;
/** Letters, and punctuation that belongs to a sentence and so to its language. */
const inSentence = /[\p{L}.,:;?!“”„"«»'’()]/u;
const sentence = /^\p{Lu}\p{Ll}+( \p{L}|[.!?]$)/u;

const outside = "a text outside of the catalogues";

/** Names of texts that a file imports from catalogues. */
function catalogueNames(program: Node): Set<string> {
  const imports = childrenOf(program).filter(
    ({ type, source }) =>
      type === "ImportDeclaration" && isNode(source) && catalogues.test(String(source["value"])),
  );
  const locals = imports.flatMap(childrenOf).flatMap(({ local }) => (isNode(local) ? [local] : []));
  return new Set(locals.map((local) => String(local["name"])));
}

/**
 * Finds visitor-facing texts outside the message files, and sentences assembled from several
 * messages. Returns `file:line: ...`.
 */
export function findLooseTexts(file: string, text: string): string[] {
  if (!isPublicSide(file) || catalogues.test(file)) return [];
  const program = parse(file, text);
  const names = [...catalogueNames(program)];
  const found: string[] = [];
  const sourceOf = ({ start, end }: Node) => text.slice(start, end);
  const report = (node: Node, what: string) =>
    found.push(`${file}:${lineOf(text, node)}: ${what}: ${sourceOf(node).trim().slice(0, 60)}`);

  /** Returns the problem of a node itself. */
  function problemOf(node: Node): string | null {
    switch (node.type) {
      case "JSXText":
        return inSentence.test(String(node["value"])) ? outside : null;
      case "JSXAttribute": {
        const { name } = node;
        const value = valueOf(node);
        if (!isNode(name) || value === null || !shownName.test(sourceOf(name))) return null;
        return textsOf(value)?.some((part) => inSentence.test(part)) === true ? outside : null;
      }
      case "Literal":
        return textsOf(node)?.some((part) => sentence.test(part)) === true ? outside : null;
      case "TemplateLiteral": {
        const texts = textsOf(node) ?? [];
        const hasCatalogueText = childrenOf(node).some((part) =>
          names.some((name) => sourceOf(part).startsWith(`${name}.`)),
        );
        if (hasCatalogueText && texts.some((part) => inSentence.test(part)))
          return "a sentence in parts";
        const isMarkup = /[<{]/.test(texts.join(""));
        return !isMarkup && texts.some((part) => sentence.test(part.trim())) ? outside : null;
      }
      default:
        return null;
    }
  }

  function isUnseen({ type, callee }: Node): boolean {
    if (/^(ImportDeclaration|TS(TypeAlias|Interface)Declaration|TSTypeAnnotation)$/.test(type))
      return true;
    const isCall = type === "CallExpression" || type === "NewExpression";
    return isCall && isNode(callee) && unseenCall.test(sourceOf(callee));
  }

  function visit(node: Node): void {
    if (isUnseen(node)) return;
    const problem = problemOf(node);
    if (problem !== null) report(node, problem);
    else for (const child of childrenOf(node)) visit(child);
  }

  visit(program);
  return found;
}
