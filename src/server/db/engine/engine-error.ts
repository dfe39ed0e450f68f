import { OperatorError } from "#server/lib/operator-error.ts";

/** A failure of the embedded database whose message tells the operator what to do. */
export class EngineError extends OperatorError {
  constructor(message: string, cause?: unknown) {
    super(message, { cause });
    this.name = "EngineError";
  }
}

/** The `code` of a system error (`ENOENT`, `EACCES`), or undefined. */
export function errorCode(error: unknown): string | undefined {
  if (typeof error !== "object" || error === null || !("code" in error)) return undefined;
  return typeof error.code === "string" ? error.code : undefined;
}
