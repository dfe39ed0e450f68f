import { useState, type SubmitEvent } from "react";
import { useQueryParams } from "#web/lib/page/query-params.ts";
import { filedReport } from "#contract/visitors/reports.ts";
import { failureText } from "#web/lib/api/failures.ts";
import { ApiError, call } from "#web/lib/api/http.ts";

/** Sends the fields of a form unchanged. */
async function sendForm(form: HTMLFormElement): Promise<void> {
  const fields = Object.fromEntries(new FormData(form));
  await call(new URL(form.action).pathname, filedReport, { method: "POST", body: fields });
}

/** Returns the server's message about a failure, or `fallback`. */
function failureOf(error: unknown, fallback: string): string {
  return error instanceof ApiError && error.status < 500 ? failureText(error, fallback) : fallback;
}

/** Sends a form. Without scripts, the server redirects back with `sent` or `error`. */
export function useFormSending(failedText: string) {
  const params = useQueryParams();
  const [isBusy, setBusy] = useState(false);
  const [isSent, setSent] = useState(params.has("sent"));
  const [failure, setFailure] = useState(params.has("error") ? failedText : null);
  const send = async (form: HTMLFormElement) => {
    setBusy(true);
    setFailure(null);
    try {
      await sendForm(form);
      setSent(true);
    } catch (error) {
      setFailure(failureOf(error, failedText));
    } finally {
      setBusy(false);
    }
  };
  return {
    isBusy,
    isSent,
    failure,
    submit: (event: SubmitEvent<HTMLFormElement>): void => {
      event.preventDefault();
      if (!isBusy) void send(event.currentTarget);
    },
  };
}

export type FormSending = ReturnType<typeof useFormSending>;
