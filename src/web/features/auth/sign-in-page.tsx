import { useEffect, useEffectEvent, useState, type SubmitEvent } from "react";
import { useNavigate } from "react-router";
import { ownPathOr } from "#contract/site/own-path.ts";
import { ApiError } from "#web/lib/api/http.ts";
import { formText } from "#web/lib/form-text.ts";
import { pageHandle } from "#web/lib/page/page-route.ts";
import { siteTitle } from "#web/lib/page/share-meta.ts";
import { useSession } from "#web/lib/session.ts";
import { giveCode, refreshSession, signIn, signInWithPasskey } from "#web/lib/session-actions.ts";
import { useQueryParams } from "#web/lib/page/query-params.ts";
import { AuthFrame } from "./components/auth-frame.tsx";
import { CredentialsForm, CodeForm } from "./components/credentials-form.tsx";
import { authMessages as messages } from "./messages.ts";

export const handle = pageHandle({
  query: ["next", "error", "step"],
  hasPopups: false,
  head: ({ site }) => ({
    title: siteTitle(messages.signInTitle, site),
    description: messages.signInIntro,
    meta: [{ name: "robots", content: "noindex" }],
  }),
});

/**
 * Returns the message of a failed sign-in: invalid credentials unless the server sends another
 * reason.
 */
function signInFailure(error: unknown): string {
  if (!(error instanceof ApiError) || error.status >= 500) return messages.failed;
  return error.status === 429 ? (error.serverMessage ?? messages.failed) : messages.invalid;
}

/**
 * Returns the message for a code that the server added when it redirected a browser without
 * scripts.
 */
function sentBackText(code: string | null, isCodeStep: boolean): string | null {
  if (code === null) return null;
  if (code === "invalid" && isCodeStep) return messages.invalidCode;
  return code === "invalid_credentials" ? messages.invalid : messages.failed;
}

const isDeclined = (error: unknown) => error instanceof Error && error.name === "NotAllowedError";

/** Works without scripts too. The server then redirects back with `error` and `step`. */
export function Component() {
  const navigate = useNavigate();
  const params = useQueryParams();
  const next = ownPathOr(params.get("next"), "/admin");
  const [isCodeStep, setCodeStep] = useState(params.get("step") === "code");
  const [isBusy, setIsBusy] = useState(false);
  const [failure, setFailure] = useState<string | null>(
    sentBackText(params.get("error"), isCodeStep),
  );

  // The session may be valid even if this browser has forgotten the user.
  const { user, initialized } = useSession();
  const isForgotten = useEffectEvent(() => initialized && user === null);
  useEffect(() => {
    if (!isForgotten()) return;
    refreshSession().then(
      (known) => {
        if (known !== null) void navigate(next, { replace: true });
      },
      () => {
        // The form reports whether the server can be reached.
      },
    );
  }, [initialized, navigate, next]);

  /** @param explain returns null for failures that need no message. */
  const attempt = async (
    run: () => Promise<unknown>,
    explain: (error: unknown) => string | null,
  ) => {
    if (isBusy) return;
    setIsBusy(true);
    setFailure(null);
    try {
      await run();
      await navigate(next, { replace: true });
    } catch (error) {
      setIsBusy(false);
      if (error instanceof ApiError && error.code === "second_factor_needed") {
        setCodeStep(true);
        return;
      }
      if (error instanceof ApiError && error.code === "unauthenticated") setCodeStep(false);
      setFailure(explain(error));
    }
  };
  const submitCredentials = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const [email, password] = [formText(form, "email").trim(), formText(form, "password")];
    void attempt(() => signIn(email, password), signInFailure);
  };
  const submitCode = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    const code = formText(new FormData(event.currentTarget), "code");
    void attempt(
      () => giveCode(code),
      (error) => (error instanceof ApiError ? error.message : messages.failed),
    );
  };
  const tryPasskey = () =>
    void attempt(signInWithPasskey, (error) =>
      isDeclined(error) ? null : error instanceof ApiError ? error.message : messages.passkeyFailed,
    );

  return isCodeStep ? (
    <AuthFrame title={messages.codeTitle} intro={messages.codeIntro}>
      <CodeForm {...{ next, isBusy, failure }} onSubmit={submitCode} onPasskey={tryPasskey} />
    </AuthFrame>
  ) : (
    <AuthFrame title={messages.signInTitle} intro={messages.signInIntro}>
      <CredentialsForm
        {...{ next, isBusy, failure }}
        onSubmit={submitCredentials}
        onPasskey={tryPasskey}
      />
    </AuthFrame>
  );
}
