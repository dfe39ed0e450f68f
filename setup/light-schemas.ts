import { join, relative } from "node:path";
import { pathToFileURL } from "node:url";
import type { z } from "zod";

type Core = z.core.$ZodTypes;

const isSchema = (value: unknown): value is Core =>
  typeof value === "object" && value !== null && "_zod" in value;

/** Schema that the browser can't have: the body of a request, with its transformations. */
class NotLight extends Error {}

/** Marks the call as pure, so that unused schemas are left out. */
const call = (name: string, parameter: string) => `/* @__PURE__ */ ${name}(${parameter})`;

/** Returns the expression that builds the light schema. `nameOf` gives repeated objects a name. */
function expressionOf(schema: z.core.$ZodType, nameOf: (expression: string) => string): string {
  const inner = (each: z.core.$ZodType) => expressionOf(each, nameOf);
  // oxlint-disable-next-line eslint/no-underscore-dangle -- zod publishes its definitions there
  const { def } = (schema as Core)._zod;
  switch (def.type) {
    case "string":
      return "text";
    case "number":
      return "number";
    case "boolean":
      return "flag";
    case "unknown":
      return "anything";
    case "enum":
      return call("oneOf", JSON.stringify(Object.values(def.entries)));
    case "literal":
      return call("oneOf", JSON.stringify(def.values));
    case "nullable":
      return call("orNull", inner(def.innerType));
    case "optional":
      return call("orAbsent", inner(def.innerType));
    case "array":
      return call("listOf", inner(def.element));
    case "union":
      return call("anyOf", `[${def.options.map(inner).join(", ")}]`);
    case "object": {
      const fields = Object.entries(def.shape).map(
        ([key, field]) => `${JSON.stringify(key)}: ${inner(field)}`,
      );
      return nameOf(call("object", `{ ${fields.join(", ")} }`));
    }
    default:
      throw new NotLight(def.type);
  }
}

/**
 * Returns the module that the browser gets instead of one with zod schemas. It contains the same
 * schemas in light form, and the constants. Requests and functions are left out, and importing one
 * fails the build.
 */
export function lightModule(exports: Record<string, unknown>, runtime: string): string {
  const objects = new Map<string, string>();
  const nameOf = (expression: string) => {
    const name = objects.get(expression) ?? `object${objects.size}`;
    objects.set(expression, name);
    return name;
  };
  const lines: string[] = [];
  for (const [name, value] of Object.entries(exports)) {
    if (typeof value === "function") continue;
    try {
      const code = isSchema(value) ? expressionOf(value, nameOf) : JSON.stringify(value);
      lines.push(`export const ${name} = ${code};`);
    } catch (error) {
      if (!(error instanceof NotLight)) throw error;
    }
  }
  return [
    `import { anyOf, anything, flag, listOf, number, object, oneOf, orAbsent, orNull, text } from ${JSON.stringify(runtime)};`,
    ...[...objects].map(([expression, name]) => `const ${name} = ${expression};`),
    ...lines,
  ].join("\n");
}

/**
 * Replaces zod in what the browser imports: in the contract and in modules named `*.schema.ts`.
 * Modules named `*.input.ts` keep zod, because forms validate with them like the server.
 */
export function lightSchemas(root: string) {
  const runtime = join(root, "src/web/lib/api/wire-schema.ts");
  const isOurs = (id: string) =>
    (/^(contract|[^/]+\/contract)\//.test(relative(join(root, "src"), id)) &&
      !id.endsWith(".input.ts")) ||
    /\/src\/web\/.*\.schema\.ts$/.test(id);
  return {
    name: "light-schemas",
    enforce: "pre" as const,
    async transform(code: string, id: string) {
      if (!isOurs(id) || !/from "zod"/.test(code)) return null;
      const exports: unknown = await import(pathToFileURL(id).href);
      return { code: lightModule({ ...(exports as object) }, runtime), map: null };
    },
  };
}
