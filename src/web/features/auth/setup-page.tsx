import { useNavigate } from "react-router";
import { Button } from "#web/components/ui/button.tsx";
import { TextField } from "#web/components/ui/field.tsx";
import { setUpAdmin } from "#web/lib/session-actions.ts";
import { useQueryParams } from "#web/lib/page/query-params.ts";
import { AuthFrame, FormError, ScriptForm } from "./components/auth-frame.tsx";
import { NewPasswordField } from "./components/password-field.tsx";
import { authMessages as messages } from "./messages.ts";
import { oneTimeLinkHandle } from "./one-time-link.ts";
import { useAuthForm } from "./use-auth-form.ts";

export const handle = oneTimeLinkHandle(messages.setupTitle);

/** Page that the one-time link of a new site opens. */
export function Component() {
  const navigate = useNavigate();
  const params = useQueryParams();
  const token = params.get("token") ?? "";
  const { isBusy, issueOf, message, onSubmit } = useAuthForm(
    ["email", "name", "password"],
    async (read) => {
      await setUpAdmin({
        token,
        email: read("email").trim(),
        name: read("name").trim() || undefined,
        password: read("password"),
      });
      await navigate("/admin", { replace: true });
    },
  );

  return (
    <AuthFrame
      title={messages.setupTitle}
      intro={token === "" ? messages.setupNoToken : messages.setupIntro}
    >
      {token === "" ? null : (
        <ScriptForm onSubmit={onSubmit}>
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
          <NewPasswordField label={messages.password} error={issueOf("password")} />
          <FormError message={message} />
          <Button type="submit" kind="primary" aria-disabled={isBusy} className="w-full">
            {isBusy ? messages.creating : messages.create}
          </Button>
        </ScriptForm>
      )}
    </AuthFrame>
  );
}
