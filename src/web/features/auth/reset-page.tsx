import { useState, type SubmitEvent } from "react";
import { useSearchParams } from "react-router";
import { Button, buttonClass } from "../../components/ui/button.tsx";
import { ApiError } from "../../lib/api/http.ts";
import { formText } from "../../lib/form-text.ts";
import { pageHandle } from "../../lib/page/page-route.ts";
import { siteTitle } from "../../lib/page/share-meta.ts";
import { resetPassword } from "../../lib/session.ts";
import { AuthFrame, FormError } from "./components/auth-frame.tsx";
import { PasswordField } from "./components/password-field.tsx";
import { authMessages as messages } from "./messages.ts";

export const handle = pageHandle({
  head: ({ site }) => ({
    title: siteTitle(messages.resetTitle, site),
    meta: [
      { name: "robots", content: "noindex" },
      // The address holds the token, so no other site may see it.
      { name: "referrer", content: "no-referrer" },
    ],
  }),
});

/** The page behind the link of the e-mail. */
export function Component() {
  const [params] = useSearchParams();
  const [isBusy, setIsBusy] = useState(false);
  const [isDone, setDone] = useState(false);
  const [failure, setFailure] = useState<ApiError | string | null>(null);
  const issue =
    failure instanceof ApiError
      ? (failure.issues.find(({ path }) => path === "password")?.message ?? null)
      : null;
  const message = failure instanceof ApiError ? failure.message : failure;

  const submit = async (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (isBusy) return;
    const password = formText(new FormData(event.currentTarget), "password");
    setIsBusy(true);
    setFailure(null);
    try {
      await resetPassword({ token: params.get("token") ?? "", password });
      setDone(true);
    } catch (error) {
      setFailure(error instanceof ApiError ? error : messages.failed);
    } finally {
      setIsBusy(false);
    }
  };

  return (
    <AuthFrame title={messages.resetTitle} intro={messages.resetIntro}>
      {isDone ? (
        <div role="status" className="space-y-5">
          <p>{messages.resetDone}</p>
          <a href="/auth/signin" className={buttonClass({ kind: "primary" })}>
            {messages.signIn}
          </a>
        </div>
      ) : (
        <form onSubmit={(event) => void submit(event)} className="space-y-5">
          <PasswordField
            label={messages.newPassword}
            name="password"
            autoComplete="new-password"
            minLength={8}
            maxLength={1000}
            required
            hint={messages.passwordHint}
            error={issue}
          />
          <FormError message={issue === null ? message : null} />
          <Button type="submit" kind="primary" disabled={isBusy} className="w-full">
            {messages.savePassword}
          </Button>
        </form>
      )}
    </AuthFrame>
  );
}
