import { Button, buttonClass } from "#web/components/ui/button.tsx";

/** Shown if the role doesn't allow this page. The user may sign out to use another account. */
export function AccessDenied({ role, onSignOut }: { role: string; onSignOut: () => void }) {
  return (
    <main className="mx-auto flex min-h-dvh max-w-md flex-col items-center justify-center gap-3 p-6 text-center">
      <h1 className="text-xl font-semibold">Access Denied</h1>
      <p className="text-ink-11">You don't have permission to access this page.</p>
      <p className="text-sm text-ink-11">
        Your role: <strong className="text-ink-12">{role}</strong>
      </p>
      <div className="flex flex-wrap justify-center gap-2">
        {role === "USER" ? null : (
          <a href="/admin" className={buttonClass({ kind: "quiet" })}>
            Dashboard
          </a>
        )}
        <a href="/home" className={buttonClass({ kind: "quiet" })}>
          View site
        </a>
        <Button kind="ghost" onClick={onSignOut}>
          Sign Out
        </Button>
      </div>
    </main>
  );
}
