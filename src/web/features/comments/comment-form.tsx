import { useState, type SubmitEvent } from "react";
import {
  sentComment,
  type Comment,
  commentNameMax,
  commentTextMax,
} from "#contract/visitors/comments.ts";
import { Button } from "#web/components/ui/button.tsx";
import { TextAreaField, TextField } from "#web/components/ui/field.tsx";
import { failureText } from "#web/lib/api/failures.ts";
import { ApiError, call } from "#web/lib/api/http.ts";
import { FormDone, FormFailure } from "#web/features/report/form-notes.tsx";
import { inLanguage } from "#web/lib/language/page-language.ts";

const messages = inLanguage("comments");

type State = "shown" | "held" | "failed" | null;

/** Form for a comment. Without scripts, the server redirects back with `sent` or `error`. */
export function CommentForm({
  slug,
  initial = null,
  onSent,
}: {
  slug: string;
  initial?: State;
  onSent: (comment: Comment) => void;
}) {
  const [state, setState] = useState<State>(initial);
  const [failure, setFailure] = useState<string>(messages.failed);
  const [isBusy, setBusy] = useState(false);
  const path = `/api/videos/${encodeURIComponent(slug)}/comments`;

  const send = async (form: HTMLFormElement) => {
    setBusy(true);
    setState(null);
    try {
      const body = Object.fromEntries(new FormData(form));
      const { comment } = await call(path, sentComment, { method: "POST", body });
      form.reset();
      setState(comment === null ? "held" : "shown");
      if (comment !== null) onSent(comment);
    } catch (error) {
      const isRefused = error instanceof ApiError && error.status < 500;
      const isStaffName = error instanceof ApiError && error.code === "conflict";
      setFailure(
        isStaffName
          ? messages.staffName
          : isRefused
            ? failureText(error, messages.failed)
            : messages.failed,
      );
      setState("failed");
    } finally {
      setBusy(false);
    }
  };

  return (
    <form
      method="post"
      // oxlint-disable-next-line kinora/page-path -- An address of the API.
      action={path}
      aria-label={messages.write}
      className="grid max-w-xl gap-4"
      onSubmit={(event: SubmitEvent<HTMLFormElement>) => {
        event.preventDefault();
        if (!isBusy) void send(event.currentTarget);
      }}
    >
      <TextAreaField
        label={messages.text}
        hint={messages.textHint}
        name="text"
        dir="auto"
        rows={3}
        required
        maxLength={commentTextMax}
      />
      <TextField
        label={messages.name}
        hint={messages.nameHint}
        name="name"
        dir="auto"
        autoComplete="nickname"
        maxLength={commentNameMax}
      />
      <FormFailure message={state === "failed" ? failure : null} />
      <div role="status">
        {state === "shown" || state === "held" ? (
          <FormDone message={messages[state]} hasForm />
        ) : null}
      </div>
      <div>
        <Button kind="primary" type="submit" aria-disabled={isBusy}>
          {isBusy ? messages.sending : messages.send}
        </Button>
      </div>
    </form>
  );
}
