import { useEffect, useState, type SubmitEvent } from "react";
import { useNavigate, useSearchParams } from "react-router";
import { Button } from "../../components/ui/button.tsx";
import { TextField } from "../../components/ui/field.tsx";
import { Spinner } from "../../components/ui/spinner.tsx";
import { formText } from "../../lib/form-text.ts";
import { ApiError } from "../../lib/api/http.ts";
import { pageHandle } from "../../lib/page/page-route.ts";
import { acceptInvitation, openInvitation } from "../../lib/session.ts";
import { siteTitle } from "../../lib/page/share-meta.ts";
import { AuthFrame, FormError } from "./components/auth-frame.tsx";
import { PasswordField } from "./components/password-field.tsx";
import { authMessages as messages } from "./messages.ts";

export const handle = pageHandle({
  head: ({ site }) => ({
    title: siteTitle(messages.invitationTitle, site),
    meta: [
      { name: "robots", content: "noindex" },
      // The address holds the one-time token, so no other site may see it.
      { name: "referrer", content: "no-referrer" },
    ],
  }),
});

/** The page behind the link of an invitation: choose a password. */
export function Component() {
  const navigate = useNavigate();
  const [params] = useSearchParams();
  const token = params.get("token") ?? "";
  const [email, setEmail] = useState<string | null>(null);
  const [isBusy, setIsBusy] = useState(false);
  const [failure, setFailure] = useState<ApiError | string | null>(null);

  useEffect(() => {
    openInvitation(token).then(
      (offer) => setEmail(offer.email),
      (error: unknown) => setFailure(error instanceof ApiError ? error : messages.failed),
    );
  }, [token]);

  const passwordIssue =
    failure instanceof ApiError
      ? (failure.issues.find(({ path }) => path === "password")?.message ?? null)
      : null;
  const message = failure instanceof ApiError ? failure.message : failure;

  const submit = async (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (isBusy) return;
    const form = new FormData(event.currentTarget);
    setIsBusy(true);
    setFailure(null);
    try {
      const name = formText(form, "name").trim();
      await acceptInvitation({ token, name, password: formText(form, "password") });
      await navigate("/admin", { replace: true });
    } catch (error) {
      setFailure(error instanceof ApiError ? error : messages.failed);
      setIsBusy(false);
    }
  };

  return (
    <AuthFrame title={messages.invitationTitle} intro={messages.invitationIntro}>
      {email === null && failure === null ? <Spinner label={messages.loading} /> : null}
      {email === null ? (
        <FormError message={message} />
      ) : (
        <form onSubmit={(event) => void submit(event)} className="space-y-5">
          <TextField
            label={messages.email}
            type="email"
            autoComplete="username"
            value={email}
            readOnly
          />
          <TextField
            label={messages.name}
            name="name"
            autoComplete="name"
            maxLength={100}
            hint={messages.nameHint}
          />
          <PasswordField
            label={messages.password}
            name="password"
            autoComplete="new-password"
            minLength={8}
            required
            hint={messages.passwordHint}
            error={passwordIssue}
          />
          <FormError message={passwordIssue === null ? message : null} />
          <Button type="submit" kind="primary" disabled={isBusy} className="w-full">
            {isBusy ? messages.creating : messages.join}
          </Button>
        </form>
      )}
    </AuthFrame>
  );
}
