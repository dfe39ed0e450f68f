import { useState, type SubmitEvent } from "react";
import { ApiError } from "#web/lib/api/http.ts";
import { issueOf } from "#web/lib/api/failures.ts";
import { formText } from "#web/lib/form-text.ts";
import { authMessages as messages } from "./messages.ts";

/** Reads a text field of the submitted form. */
type ReadField = (name: string) => string;

/**
 * Sends a form and stores the failure. Never sends it twice at the same time.
 * @param fields names of the fields that display their own errors.
 * @param send sends the form. Rejects on failure.
 */
export function useAuthForm(
  fields: readonly string[],
  send: (read: ReadField) => Promise<unknown>,
) {
  const [isBusy, setIsBusy] = useState(false);
  const [failure, setFailure] = useState<unknown>(null);

  const issueAt = (path: string) => issueOf(failure, path);
  const hasFieldIssue = fields.some((field) => issueAt(field) !== null);
  const text = failure instanceof ApiError ? failure.message : messages.failed;

  const submit = async (form: FormData) => {
    if (isBusy) return;
    setIsBusy(true);
    setFailure(null);
    try {
      await send((name) => formText(form, name));
    } catch (error) {
      setFailure(error);
    } finally {
      setIsBusy(false);
    }
  };

  return {
    isBusy,
    issueOf: issueAt,
    /** Message below the fields. Null if there is none. */
    message: failure === null || hasFieldIssue ? null : text,
    fail: setFailure,
    onSubmit(event: SubmitEvent<HTMLFormElement>): void {
      event.preventDefault();
      void submit(new FormData(event.currentTarget));
    },
  };
}
