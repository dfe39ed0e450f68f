import { useState } from "react";
import { Button } from "#web/components/ui/button.tsx";
import { TextField } from "#web/components/ui/field.tsx";
import { pageHandle } from "#web/lib/page/page-route.ts";
import { siteTitle } from "#web/lib/page/share-meta.ts";
import { requestReset } from "#web/lib/session-actions.ts";
import { FormDone } from "../report/form-notes.tsx";
import { AuthFrame, FormError, ScriptForm } from "./components/auth-frame.tsx";
import { authMessages as messages } from "./messages.ts";
import { useAuthForm } from "./use-auth-form.ts";

export const handle = pageHandle({
  query: [],
  hasPopups: false,
  head: ({ site }) => ({
    title: siteTitle(messages.forgotTitle, site),
    meta: [{ name: "robots", content: "noindex" }],
  }),
});

/** Page that requests a reset link by email. The response is the same for every address. */
export function Component() {
  const [isSent, setSent] = useState(false);
  const { isBusy, message, onSubmit } = useAuthForm([], async (read) => {
    await requestReset(read("email").trim());
    setSent(true);
  });

  return (
    <AuthFrame title={messages.forgotTitle} intro={messages.forgotIntro}>
      {isSent ? (
        <FormDone message={messages.forgotSent} />
      ) : (
        <ScriptForm onSubmit={onSubmit}>
          <TextField
            label={messages.email}
            name="email"
            type="email"
            autoComplete="username"
            autoCapitalize="none"
            spellCheck={false}
            maxLength={254}
            hasMark={false}
            required
          />
          <FormError message={message} />
          <Button type="submit" kind="primary" aria-disabled={isBusy} className="w-full">
            {messages.sendLink}
          </Button>
        </ScriptForm>
      )}
    </AuthFrame>
  );
}
