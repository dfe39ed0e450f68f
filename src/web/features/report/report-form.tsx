import { reportReasons, reportTextMax } from "#contract/visitors/reports.ts";
import { TextAreaField, TextField } from "#web/components/ui/field.tsx";
import { FormFailure, ChoiceField } from "./form-notes.tsx";
import type { FormSending } from "./use-form-sending.ts";
import { inLanguage, pagePath } from "#web/lib/language/page-language.ts";

const reasonNames = inLanguage("reasons");
const messages = inLanguage("report");

/** Fields of a report. The dialog and the page share them. */
export function ReportForm({
  slug,
  id,
  sending,
  comment = null,
}: {
  slug: string;
  id: string;
  /** Id of the comment, if the report is about one. */
  comment?: string | null;
  sending: FormSending;
}) {
  return (
    <form
      id={id}
      method="post"
      action={`/api/videos/${encodeURIComponent(slug)}/reports`}
      onSubmit={sending.submit}
      className="grid gap-5"
    >
      {comment === null ? null : <input type="hidden" name="comment" value={comment} />}
      <ChoiceField
        label={messages.reason}
        name="reason"
        choices={reportReasons}
        names={reasonNames}
      />
      <TextAreaField
        label={messages.text}
        hint={messages.textHint}
        name="text"
        dir="auto"
        maxLength={reportTextMax}
      />
      <TextField
        label={messages.email}
        hint={messages.emailHint}
        name="email"
        type="email"
        dir="auto"
        autoComplete="email"
        maxLength={254}
      />
      <p className="text-sm text-ink-11">
        <a href={pagePath("/takedown")} className="underline">
          {messages.legal}
        </a>
      </p>
      <FormFailure message={sending.failure} />
    </form>
  );
}
