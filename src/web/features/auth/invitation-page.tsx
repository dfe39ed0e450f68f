import { useEffect, useState } from "react";
import { useNavigate } from "react-router";
import { Button } from "#web/components/ui/button.tsx";
import { TextField } from "#web/components/ui/field.tsx";
import { Spinner } from "#web/components/ui/spinner.tsx";
import { acceptInvitation, openInvitation } from "#web/lib/session-actions.ts";
import { useQueryParams } from "#web/lib/page/query-params.ts";
import { AuthFrame, FormError } from "./components/auth-frame.tsx";
import { NewPasswordField } from "./components/password-field.tsx";
import { authMessages as messages } from "./messages.ts";
import { oneTimeLinkHandle } from "./one-time-link.ts";
import { useAuthForm } from "./use-auth-form.ts";

export const handle = oneTimeLinkHandle(messages.invitationTitle);

/** Page that an invitation link opens. The user chooses a password. */
export function Component() {
  const navigate = useNavigate();
  const params = useQueryParams();
  const token = params.get("token") ?? "";
  const [email, setEmail] = useState<string | null>(null);
  const { isBusy, issueOf, message, fail, onSubmit } = useAuthForm(
    ["name", "password"],
    async (read) => {
      await acceptInvitation({ token, name: read("name").trim(), password: read("password") });
      await navigate("/admin", { replace: true });
    },
  );

  useEffect(() => {
    openInvitation(token).then((offer) => setEmail(offer.email), fail);
  }, [token, fail]);

  return (
    <AuthFrame title={messages.invitationTitle} intro={messages.invitationIntro}>
      {email === null && message === null ? (
        <>
          <Spinner label={messages.loading} />
          <noscript>{messages.noScripts}</noscript>
        </>
      ) : null}
      {email === null ? (
        <FormError message={message} />
      ) : (
        <form onSubmit={onSubmit} className="space-y-5">
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
            error={issueOf("name")}
          />
          <NewPasswordField label={messages.password} error={issueOf("password")} />
          <FormError message={message} />
          <Button type="submit" kind="primary" aria-disabled={isBusy} className="w-full">
            {isBusy ? messages.creating : messages.join}
          </Button>
        </form>
      )}
    </AuthFrame>
  );
}
