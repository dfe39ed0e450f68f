import type { z } from "zod";
import { call, callForEffect } from "../../../lib/http.ts";
import { ShapeError, type Shape } from "../../../lib/shape.ts";
import { withSession } from "./session-renewal.ts";

type Options = Parameters<typeof callForEffect>[1];

/** The wire's own schema as a check of an answer. Heavier than `Shape`s, which is fine in here. */
export function zodShape<T>(schema: z.ZodType<T>): Shape<T> {
  return (value, path) => {
    const read = schema.safeParse(value);
    if (read.success) return read.data;
    const issue = read.error.issues[0];
    throw new ShapeError([path, ...(issue?.path ?? [])].join("."), issue?.message ?? "as agreed");
  };
}

/** An admin call: the answer checked, the session renewed where it has ended. */
export function adminCall<T>(path: string, schema: z.ZodType<T>, options?: Options): Promise<T> {
  return withSession(() => call(path, zodShape(schema), options));
}

/** The same, where the answer holds nothing of interest. */
export function adminSend(path: string, options: Options): Promise<void> {
  return withSession(() => callForEffect(path, options));
}
