import { homeMessages as messages } from "../messages.ts";

/** Hints for the operator of a new site. */
export function NewSiteHint() {
  return (
    <p>
      {messages.freshTitle}{" "}
      <a href="/auth/signin" className="text-lamp-text underline">
        {messages.freshSignIn}
      </a>{" "}
      {messages.freshText} <code className="rounded-sm bg-ink-3 px-1.5 py-0.5">npm run demo</code>{" "}
      {messages.freshEnd}
    </p>
  );
}

export function NoMatchHint() {
  return (
    <p>
      {messages.noMatch}{" "}
      <a href="/home" className="text-lamp-text underline">
        {messages.noMatchLink}
      </a>
      .
    </p>
  );
}
