import { z } from "zod";

/** All error codes in responses, with their HTTP status. Server and browser both use this table. */
export const errorStatus = {
  invalid: 400,
  unauthenticated: 401,
  invalid_credentials: 401,
  /** The password was right, but the second factor is missing. */
  second_factor_needed: 401,
  /** As oEmbed requires for videos that other sites may not show. */
  not_embeddable: 401,
  forbidden: 403,
  /** The site requires a second factor, and this account has none. */
  second_factor_missing: 403,
  /** The password or a passkey must be confirmed before this call. */
  confirmation_required: 403,
  /** A browser must send this call from a back-office page of the current session. */
  page_token_required: 403,
  /** Only members may play this video. */
  members_only: 403,
  cross_origin: 403,
  not_found: 404,
  timeout: 408,
  conflict: 409,
  edit_conflict: 409,
  precondition_failed: 412,
  too_large: 413,
  unsupported_media: 415,
  range_not_satisfiable: 416,
  expectation_failed: 417,
  unusable_video: 422,
  rate_limited: 429,
  headers_too_large: 431,
  blocked_country: 451,
  internal: 500,
  storage_full: 507,
  /** The storage is read-only, unreachable for writing, or not the one of this site. */
  storage_unwritable: 507,
  unavailable: 503,
} as const;

export type ErrorCode = keyof typeof errorStatus;

export const errorBody = z.object({
  message: z.string(),
  code: z.string(),
  requestId: z.string(),
  issues: z.array(z.object({ path: z.string(), message: z.string() })).optional(),
});
export type ErrorBody = z.infer<typeof errorBody>;
