import { parseSync } from "vite";

/** A node of a parsed file; its other properties depend on its type. */
interface Node {
  type: string;
  start: number;
  end: number;
  [name: string]: unknown;
}

/**
 * Files with what visitors see. In English alone: the back office with its pagination, and what the
 * VAST reader tells operators.
 */
const publicSide =
  /^src\/web\/(?!(app\/(dev|languages)|features\/(admin|auth|ads\/vast)|components\/ui\/pagination)\/).*(?<!\.test|\.fixture)\.tsx?$/;
const catalogues = /messages\.ts$|key-list\.ts$/;

/** Properties and attributes whose text is shown or read out. */
const shownName =
  /^(aria-(label|description|roledescription|valuetext)|alt|title|placeholder|label|hint|.+Label|.+Text)$/;
/** Calls whose texts are for operators and developers. */
const unseenCall = /^(console\.\w+|\w*Error|super)$/;
/** Punctuation that belongs to a sentence, and so to its language. */
const inSentence = /[\p{L}.,:;?!“”„"«»'’()]/u;
const sentence = /^\p{Lu}\p{Ll}+( \p{L}|[.!?]$)/u;

const isNode = (value: unknown): value is Node =>
  typeof value === "object" && value !== null && typeof Reflect.get(value, "type") === "string";

const childrenOf = (node: Node): Node[] =>
  Object.entries(node)
    .filter(([name]) => name !== "type" && name !== "parent")
    .flatMap(([, value]) => (Array.isArray(value) ? value : [value]))
    .filter(isNode);

/** The texts of a literal or template; null for any other expression. */
function textsOf(node: Node): string[] | null {
  if (node.type === "Literal") return typeof node["value"] === "string" ? [node["value"]] : null;
  if (node.type !== "TemplateLiteral") return null;
  return childrenOf(node).flatMap(({ type, value }) =>
    type === "TemplateElement" ? [String(Reflect.get(Object(value), "raw"))] : [],
  );
}

/**
 * Texts for visitors that stand outside of the catalogues, and sentences that are put together from
 * texts of the catalogues: `file:line: ...`.
 */
export function findLooseTexts(file: string, text: string): string[] {
  if (!publicSide.test(file) || catalogues.test(file)) return [];
  const { program } = parseSync(file, text);
  const found: string[] = [];
  const sourceOf = ({ start, end }: Node) => text.slice(start, end);
  const report = (node: Node, what: string) => {
    const line = text.slice(0, node.start).split("\n").length;
    found.push(`${file}:${line}: ${what}: ${sourceOf(node).trim().slice(0, 60)}`);
  };
  const catalogueNames = new Set<string>();

  function visit(node: Node): void {
    switch (node.type) {
      case "ImportDeclaration": {
        const { source } = node;
        if (isNode(source) && catalogues.test(String(source["value"]))) {
          for (const { local } of childrenOf(node))
            if (isNode(local)) catalogueNames.add(String(local["name"]));
        }
        return;
      }
      case "TSTypeAliasDeclaration":
      case "TSInterfaceDeclaration":
      case "TSTypeAnnotation":
        return;
      case "CallExpression":
      case "NewExpression":
        if (isNode(node["callee"]) && unseenCall.test(sourceOf(node["callee"]))) return;
        break;
      case "JSXText":
        if (inSentence.test(String(node["value"])))
          report(node, "a text outside of the catalogues");
        return;
      case "JSXAttribute": {
        const { name, value } = node;
        if (!isNode(name) || !isNode(value) || !shownName.test(sourceOf(name))) break;
        const inner = value.type === "JSXExpressionContainer" ? value["expression"] : value;
        const texts = isNode(inner) ? textsOf(inner) : null;
        if (texts?.some((part) => inSentence.test(part)) !== true) break;
        report(node, "a text outside of the catalogues");
        return;
      }
      case "Literal":
        if (typeof node["value"] === "string" && sentence.test(node["value"]))
          report(node, "a text outside of the catalogues");
        return;
      case "TemplateLiteral": {
        const texts = textsOf(node) ?? [];
        const isOfCatalogue = childrenOf(node).some((part) =>
          [...catalogueNames].some((name) => sourceOf(part).startsWith(`${name}.`)),
        );
        if (isOfCatalogue && texts.some((part) => inSentence.test(part)))
          report(node, "a sentence in parts");
        else if (
          texts.some((part) => sentence.test(part.trim())) &&
          !/^[^`]*[<{]/.test(texts.join(""))
        )
          report(node, "a text outside of the catalogues");
        break;
      }
    }
    for (const child of childrenOf(node)) visit(child);
  }

  visit(program as unknown as Node);
  return found;
}
