import { useState, type SubmitEvent } from "react";
import { Button } from "../../components/ui/button.tsx";
import { TextField } from "../../components/ui/field.tsx";
import { ApiError } from "../../lib/api/http.ts";
import { formText } from "../../lib/form-text.ts";
import { pageHandle } from "../../lib/page/page-route.ts";
import { siteTitle } from "../../lib/page/share-meta.ts";
import { askForReset } from "../../lib/session.ts";
import { AuthFrame, FormError } from "./components/auth-frame.tsx";
import { authMessages as messages } from "./messages.ts";

export const handle = pageHandle({
  head: ({ site }) => ({
    title: siteTitle(messages.forgotTitle, site),
    meta: [{ name: "robots", content: "noindex" }],
  }),
});

/** Asks for a link by e-mail. The response is the same for every address. */
export function Component() {
  const [isBusy, setIsBusy] = useState(false);
  const [isSent, setSent] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);

  const submit = async (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (isBusy) return;
    const email = formText(new FormData(event.currentTarget), "email").trim();
    setIsBusy(true);
    setFailure(null);
    try {
      await askForReset(email);
      setSent(true);
    } catch (error) {
      setFailure(error instanceof ApiError ? error.message : messages.failed);
    } finally {
      setIsBusy(false);
    }
  };

  return (
    <AuthFrame title={messages.forgotTitle} intro={messages.forgotIntro}>
      {isSent ? (
        <p
          role="status"
          className="rounded-md bg-done-soft px-4 py-3 text-sm font-medium text-done-text"
        >
          {messages.forgotSent}
        </p>
      ) : (
        <form onSubmit={(event) => void submit(event)} className="space-y-5">
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
          <FormError message={failure} />
          <Button type="submit" kind="primary" disabled={isBusy} className="w-full">
            {messages.sendLink}
          </Button>
        </form>
      )}
    </AuthFrame>
  );
}
