import { useState, type SubmitEvent } from "react";
import { useNavigate, useSearchParams } from "react-router";
import { Button } from "../../components/ui/button.tsx";
import { TextField } from "../../components/ui/field.tsx";
import { formText } from "../../lib/form-text.ts";
import { ApiError } from "../../lib/api/http.ts";
import { pageHandle } from "../../lib/page/page-route.ts";
import { setUpAdmin } from "../../lib/session.ts";
import { siteTitle } from "../../lib/page/share-meta.ts";
import { AuthFrame, FormError } from "./components/auth-frame.tsx";
import { PasswordField } from "./components/password-field.tsx";
import { authMessages as messages } from "./messages.ts";

export const handle = pageHandle({
  head: ({ site }) => ({
    title: siteTitle(messages.setupTitle, site),
    meta: [
      { name: "robots", content: "noindex" },
      // The address holds the one-time token, so no other site may see it.
      { name: "referrer", content: "no-referrer" },
    ],
  }),
});

/** The page behind the one-time link of a new site. */
export function Component() {
  const navigate = useNavigate();
  const [params] = useSearchParams();
  const token = params.get("token") ?? "";
  const [isBusy, setIsBusy] = useState(false);
  const [failure, setFailure] = useState<ApiError | string | null>(null);

  const issueOf = (path: string) =>
    failure instanceof ApiError
      ? (failure.issues.find((issue) => issue.path === path)?.message ?? null)
      : null;
  const hasFieldIssue = ["email", "name", "password"].some((path) => issueOf(path) !== null);
  const message = failure instanceof ApiError ? (hasFieldIssue ? null : failure.message) : failure;

  const submit = async (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (isBusy) return;
    const form = new FormData(event.currentTarget);
    const text = (name: string) => formText(form, name);
    setIsBusy(true);
    setFailure(null);
    try {
      await setUpAdmin({
        token,
        email: text("email").trim(),
        name: text("name").trim() || undefined,
        password: text("password"),
      });
      await navigate("/admin", { replace: true });
    } catch (error) {
      setFailure(error instanceof ApiError ? error : messages.failed);
      setIsBusy(false);
    }
  };

  return (
    <AuthFrame
      title={messages.setupTitle}
      intro={token === "" ? messages.setupNoToken : messages.setupIntro}
    >
      {token === "" ? null : (
        <form onSubmit={(event) => void submit(event)} className="space-y-5">
          <TextField
            label={messages.email}
            name="email"
            type="email"
            autoComplete="username"
            autoCapitalize="none"
            spellCheck={false}
            hasMark={false}
            required
            error={issueOf("email")}
          />
          <TextField
            label={messages.name}
            name="name"
            autoComplete="name"
            maxLength={100}
            hint={messages.nameHint}
            error={issueOf("name")}
          />
          <PasswordField
            label={messages.password}
            name="password"
            autoComplete="new-password"
            minLength={8}
            required
            hint={messages.passwordHint}
            error={issueOf("password")}
          />
          <FormError message={message} />
          <Button type="submit" kind="primary" disabled={isBusy} className="w-full">
            {isBusy ? messages.creating : messages.create}
          </Button>
        </form>
      )}
    </AuthFrame>
  );
}
