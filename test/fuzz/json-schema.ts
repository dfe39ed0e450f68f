import { z } from "zod";

/** The part of JSON Schema that the API document uses. */
export interface JsonSchema {
  type?: string | string[];
  enum?: unknown[];
  const?: unknown;
  default?: unknown;
  minLength?: number;
  maxLength?: number;
  pattern?: string;
  format?: string;
  minimum?: number;
  maximum?: number;
  exclusiveMinimum?: number;
  items?: JsonSchema;
  minItems?: number;
  maxItems?: number;
  properties?: Record<string, JsonSchema>;
  required?: string[];
  anyOf?: JsonSchema[];
  oneOf?: JsonSchema[];
  allOf?: JsonSchema[];
}

/** @returns what is wrong with a value, or null. */
export type SchemaCheck = (value: unknown) => string | null;

/** @throws Error for a schema that zod can't read. */
export function createSchemaCheck(schema: z.core.JSONSchema.JSONSchema): SchemaCheck {
  const parser = z.fromJSONSchema(schema);
  return (value) => {
    const result = parser.safeParse(value);
    return result.success ? null : z.prettifyError(result.error);
  };
}
