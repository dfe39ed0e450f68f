import { OperatorError } from "#server/lib/operator-error.ts";

/** Failure of the embedded database, with instructions for the operator. */
export class EngineError extends OperatorError {
  constructor(message: string, cause?: unknown) {
    super(message, { cause });
    this.name = "EngineError";
  }
}

/** Returns the `code` of a system error (`ENOENT`, `EACCES`), or undefined. */
export function errorCode(error: unknown): string | undefined {
  if (typeof error !== "object" || error === null || !("code" in error)) return undefined;
  return typeof error.code === "string" ? error.code : undefined;
}
