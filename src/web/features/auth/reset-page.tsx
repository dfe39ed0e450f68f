import { useState } from "react";
import { Button, buttonClass } from "#web/components/ui/button.tsx";
import { resetPassword } from "#web/lib/session-actions.ts";
import { useQueryParams } from "#web/lib/page/query-params.ts";
import { FormDone } from "../report/form-notes.tsx";
import { AuthFrame, FormError, ScriptForm } from "./components/auth-frame.tsx";
import { NewPasswordField } from "./components/password-field.tsx";
import { authMessages as messages } from "./messages.ts";
import { oneTimeLinkHandle } from "./one-time-link.ts";
import { useAuthForm } from "./use-auth-form.ts";

export const handle = oneTimeLinkHandle(messages.resetTitle);

/** Page that the emailed reset link opens. */
export function Component() {
  const params = useQueryParams();
  const [isDone, setDone] = useState(false);
  const { isBusy, issueOf, message, onSubmit } = useAuthForm(["password"], async (read) => {
    await resetPassword({ token: params.get("token") ?? "", password: read("password") });
    setDone(true);
  });

  return (
    <AuthFrame title={messages.resetTitle} intro={messages.resetIntro}>
      {isDone ? (
        <div className="space-y-5">
          <FormDone message={messages.resetDone} />
          <a href="/auth/signin" className={buttonClass({ kind: "primary" })}>
            {messages.signIn}
          </a>
        </div>
      ) : (
        <ScriptForm onSubmit={onSubmit}>
          <NewPasswordField label={messages.newPassword} error={issueOf("password")} />
          <FormError message={message} />
          <Button type="submit" kind="primary" aria-disabled={isBusy} className="w-full">
            {messages.savePassword}
          </Button>
        </ScriptForm>
      )}
    </AuthFrame>
  );
}
