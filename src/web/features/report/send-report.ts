import { filedReport } from "#contract/visitors/reports.ts";
import { failureText } from "#web/lib/api/failure-text.ts";
import { ApiError, call } from "#web/lib/api/http.ts";

/** Sends the fields of a form unchanged. */
export async function sendForm(form: HTMLFormElement): Promise<void> {
  const fields = Object.fromEntries(new FormData(form));
  await call(new URL(form.action).pathname, filedReport, { method: "POST", body: fields });
}

/** Returns the server's message about a failure, or `fallback`. */
export function failureOf(error: unknown, fallback: string): string {
  return error instanceof ApiError && error.status < 500 ? failureText(error, fallback) : fallback;
}
