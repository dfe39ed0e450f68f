import { useState, type SubmitEvent } from "react";
import { useQueryParams } from "#web/lib/page/query-params.ts";
import { failureOf, sendForm } from "./send-report.ts";

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
