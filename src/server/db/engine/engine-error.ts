import { OperatorError } from "#server/lib/app-error.ts";

/** Failure of the embedded database, with instructions for the operator. */
export class EngineError extends OperatorError {
  constructor(message: string, cause?: unknown) {
    super(message, { cause });
    this.name = "EngineError";
  }
}
