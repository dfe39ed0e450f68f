import { beforeAll, expect, it } from "vitest";
import { z } from "zod";
import { installValidationTexts } from "./errors.ts";

// These texts stay installed, as in every test that starts the application.
beforeAll(installValidationTexts);

it.each<[z.ZodType, unknown, string]>([
  [z.string().max(80), "x".repeat(81), "at most 80 characters"],
  [z.string().min(1), "", "must not be empty"],
  [z.string().min(8), "x", "at least 8 characters"],
  [z.array(z.string()).max(1), ["a", "b"], "at most 1 entry"],
  [z.number().max(5), 6, "at most 5"],
  [z.int(), 1.5, "must be a whole number"],
  [z.string(), undefined, "is required"],
  [z.string(), 5, "must be text"],
  [z.boolean(), "yes", "must be true or false"],
  [z.enum(["a", "b"]), "c", "must be one of a, b"],
  [z.literal(true), false, "must be true"],
  [z.email(), "x", "must be an email address"],
  [z.uuid(), "x", "must be an ID"],
  [z.string().regex(/^a/), "b", "has an unexpected format"],
  [z.union([z.literal(1), z.string()]), true, "is not valid"],
  [z.string().max(3, "Too long for a code"), "long", "Too long for a code"],
])("explains the problem (%#)", (schema, value, message) => {
  expect(schema.safeParse(value).error?.issues.map((issue) => issue.message)).toEqual([message]);
});
