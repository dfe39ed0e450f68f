import { call, callForEffect, type ResponseSchema } from "#web/lib/api/http.ts";
import { withSession } from "./session-renewal.ts";

type Options = Parameters<typeof callForEffect>[1];

/**
 * Sends an admin request, checks the response, and asks to sign in again if the session has ended.
 */
export function adminCall<T>(
  path: string,
  schema: ResponseSchema<T>,
  options?: Options,
): Promise<T> {
  return withSession(() => call(path, schema, { ...options, keepsAllLanguages: true }));
}

/** Like `adminCall`, for responses whose body isn't needed. */
export function adminSend(path: string, options: Options): Promise<void> {
  return withSession(() => callForEffect(path, options));
}
