import { parseSync } from "vite";

/** Node of a parsed file. Its other properties depend on its type. */
export interface Node {
  type: string;
  start: number;
  end: number;
  [name: string]: unknown;
}

export const isNode = (value: unknown): value is Node =>
  typeof value === "object" && value !== null && typeof Reflect.get(value, "type") === "string";

export const childrenOf = (node: Node): Node[] =>
  Object.values(node)
    .flatMap((value): unknown[] => (Array.isArray(value) ? value : [value]))
    .filter(isNode);

/** Parses a source file into a tree. */
export const parse = (file: string, text: string): Node =>
  parseSync(file, text).program as unknown as Node;

/** Returns the expression of an attribute, for both `"a"` and `{a}`. */
export function valueOf({ value }: Node): Node | null {
  if (!isNode(value)) return null;
  if (value.type !== "JSXExpressionContainer") return value;
  return isNode(value["expression"]) ? value["expression"] : null;
}

/** Returns the texts of a literal or template, or null for any other expression. */
export function textsOf(node: Node): string[] | null {
  if (node.type === "Literal") return typeof node["value"] === "string" ? [node["value"]] : null;
  if (node.type !== "TemplateLiteral") return null;
  return childrenOf(node).flatMap(({ type, value }) =>
    type === "TemplateElement" ? [String(Reflect.get(Object(value), "raw"))] : [],
  );
}

export const lineOf = (text: string, { start }: Node): number =>
  text.slice(0, start).split("\n").length;

/**
 * Returns whether a file belongs to the public site, which is translated. The back office with its
 * pagination and the VAST reader's messages for operators exist only in English.
 */
export const isPublicSide = (file: string): boolean =>
  /^src\/(web|\w+\/web)\/(?!(app\/dev|features\/(admin|auth)|vast|components\/ui\/pagination)\/).*(?<!\.test|\.fixture)\.tsx?$/.test(
    file,
  );
