/** A failure of the embedded database that a person can act on: the message is shown alone. */
export class EngineError extends Error {
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
