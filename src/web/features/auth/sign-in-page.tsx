import { useState, type SubmitEvent } from "react";
import { useNavigate, useSearchParams } from "react-router";
import { Button } from "../../components/ui/button.tsx";
import { TextField } from "../../components/ui/field.tsx";
import { formText } from "../../lib/form-text.ts";
import { ApiError } from "../../lib/api/http.ts";
import { pageHandle } from "../../lib/page/page-route.ts";
import { signIn } from "../../lib/session.ts";
import { siteTitle } from "../../lib/page/share-meta.ts";
import { AuthFrame, FormError } from "./components/auth-frame.tsx";
import { PasswordField } from "./components/password-field.tsx";
import { authMessages as messages } from "./messages.ts";
import { safeNext } from "./safe-next.ts";

export const handle = pageHandle({
  head: ({ site }) => ({
    title: siteTitle(messages.signInTitle, site),
    description: messages.signInIntro,
    meta: [{ name: "robots", content: "noindex" }],
  }),
});

/** The message of a failed sign-in: invalid credentials unless the server says more. */
function failureText(error: unknown): string {
  if (!(error instanceof ApiError) || error.status >= 500) return messages.failed;
  return error.status === 429 ? (error.serverMessage ?? messages.failed) : messages.invalid;
}

/** Works without scripts too: the server redirects back with `error`. */
export function Component() {
  const navigate = useNavigate();
  const [params] = useSearchParams();
  const next = safeNext(params.get("next"));
  const sentBack = params.get("error");
  const [isBusy, setIsBusy] = useState(false);
  const [failure, setFailure] = useState<string | null>(
    sentBack === null
      ? null
      : sentBack === "invalid_credentials"
        ? messages.invalid
        : messages.failed,
  );

  const submit = async (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (isBusy) return;
    const form = new FormData(event.currentTarget);
    setIsBusy(true);
    setFailure(null);
    try {
      await signIn(formText(form, "email").trim(), formText(form, "password"));
      await navigate(next, { replace: true });
    } catch (error) {
      setFailure(failureText(error));
      setIsBusy(false);
    }
  };

  return (
    <AuthFrame title={messages.signInTitle} intro={messages.signInIntro}>
      <form
        method="post"
        action="/api/auth/signin"
        onSubmit={(event) => void submit(event)}
        className="space-y-5"
      >
        <input type="hidden" name="next" value={next} />
        <TextField
          label={messages.email}
          name="email"
          type="email"
          autoComplete="username"
          autoCapitalize="none"
          spellCheck={false}
          hasMark={false}
          required
        />
        <PasswordField
          label={messages.password}
          name="password"
          autoComplete="current-password"
          required
        />
        <FormError message={failure} />
        <Button type="submit" kind="primary" disabled={isBusy} className="w-full">
          {isBusy ? messages.signingIn : messages.signIn}
        </Button>
      </form>
    </AuthFrame>
  );
}
