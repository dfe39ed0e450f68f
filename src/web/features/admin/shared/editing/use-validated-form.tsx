import { useState, type ReactNode } from "react";
import { issueOf } from "#web/lib/api/failures.ts";

/** Result of reading a form: valid, or the problem of each field. */
type Reading = { ok: true } | { ok: false; problems: ReadonlyMap<string, string> };

/**
 * Shows a form's errors only after its first submit, so that no error appears in fields that the
 * user hasn't reached.
 * @param failure failure of the last request. It may contain issues of fields.
 */
export function useValidatedForm(
  reading: Reading,
  failure: unknown,
): {
  /** Returns a field's problem, or null. */
  problemOf: (field: string) => string | null;
  /** Call it on submit. Returns whether the form can be sent. */
  validate: () => boolean;
  /** Points to the errors, which may be outside the viewport. */
  hint: ReactNode;
} {
  const [hasSubmitted, setSubmitted] = useState(false);
  const problems = hasSubmitted && !reading.ok ? reading.problems : null;
  return {
    problemOf: (field) => problems?.get(field) ?? issueOf(failure, field),
    validate() {
      setSubmitted(true);
      return reading.ok;
    },
    hint:
      problems === null ? null : (
        <p role="alert" className="text-sm text-danger-text">
          Check the highlighted fields.
        </p>
      ),
  };
}
