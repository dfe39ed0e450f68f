import { useState, type ReactNode } from "react";
import { issueOf } from "#web/lib/api/issue-of.ts";

/** Values read from a form, or what is wrong with its fields. */
type Reading = { ok: true } | { ok: false; problems: ReadonlyMap<string, string> };

/**
 * Judges a form from its first submit on, so that nobody sees errors in fields they haven't reached
 * yet.
 * @param failure failure of the last request. It may contain issues of fields.
 */
export function useJudgedForm(
  reading: Reading,
  failure: unknown,
): {
  /** Returns what is wrong with a field, or null. */
  problemOf: (field: string) => string | null;
  /** Call it on submit. Returns whether the form can be sent. */
  judge: () => boolean;
  /** Points to the errors, which may be outside the viewport. */
  hint: ReactNode;
} {
  const [isJudged, setJudged] = useState(false);
  const problems = isJudged && !reading.ok ? reading.problems : null;
  return {
    problemOf: (field) => problems?.get(field) ?? issueOf(failure, field),
    judge() {
      setJudged(true);
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
