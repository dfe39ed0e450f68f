import { Button, buttonClass } from "#web/components/ui/button.tsx";
import { shellMessages as messages } from "./messages.ts";

/** Shown if the role doesn't allow this page. The user may sign out to use another account. */
export function AccessDenied({ role, onSignOut }: { role: string; onSignOut: () => void }) {
  return (
    <main className="mx-auto flex min-h-dvh max-w-md flex-col items-center justify-center gap-3 p-6 text-center">
      <h1 className="text-xl font-semibold">{messages.deniedTitle}</h1>
      <p className="text-ink-11">{messages.deniedText}</p>
      <p className="text-sm text-ink-11">
        {messages.yourRole}: <strong className="text-ink-12">{role}</strong>
      </p>
      <div className="flex flex-wrap justify-center gap-2">
        {role === "USER" ? null : (
          <a href="/admin" className={buttonClass({ kind: "quiet" })}>
            {messages.dashboard}
          </a>
        )}
        <a href="/home" className={buttonClass({ kind: "quiet" })}>
          {messages.viewSite}
        </a>
        <Button kind="ghost" onClick={onSignOut}>
          {messages.signOut}
        </Button>
      </div>
    </main>
  );
}
