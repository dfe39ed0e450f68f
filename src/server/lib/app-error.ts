import { errorStatus, type ErrorCode } from "#contract/errors.ts";

/**
 * Problem that the operator can solve. If it ends the start, only its message is printed, without a
 * stack.
 */
export class OperatorError extends Error {}

export interface Issue {
  path: string;
  message: string;
}

/**
 * Failure reported to the client. The message describes what happened and what to do. The code is
 * for programs. All other errors become an opaque 500.
 */
export class AppError extends Error {
  readonly code: ErrorCode;
  readonly issues: Issue[] | undefined;
  readonly retryAfterS: number | undefined;

  constructor(
    code: ErrorCode,
    message: string,
    extra: { issues?: Issue[]; retryAfterS?: number; cause?: unknown } = {},
  ) {
    super(message, { cause: extra.cause });
    this.name = "AppError";
    this.code = code;
    this.issues = extra.issues;
    this.retryAfterS = extra.retryAfterS;
  }

  get status(): number {
    return errorStatus[this.code];
  }
}

export const isNotFound = (error: unknown): boolean =>
  error instanceof AppError && error.code === "not_found";

/**
 * Prevents an edit from silently overwriting another one. Call it while the row is locked.
 * @param seen version that the user edited. If undefined, any version is overwritten.
 * @throws AppError edit_conflict.
 */
export function checkVersion(seen: number | undefined, stored: number, what: string): void {
  if (seen === undefined || seen === stored) return;
  throw new AppError(
    "edit_conflict",
    `Someone else changed ${what} in the meantime. Reload and make your change again.`,
  );
}

/** Returns the code of an error of Node or PostgreSQL (`ENOENT`, `23505`), or undefined. */
export function codeOf(error: unknown): string | undefined {
  if (typeof error !== "object" || error === null || !("code" in error)) return undefined;
  return typeof error.code === "string" ? error.code : undefined;
}

export function hasCode(error: unknown, ...codes: string[]): boolean {
  const code = codeOf(error);
  return code !== undefined && codes.includes(code);
}
