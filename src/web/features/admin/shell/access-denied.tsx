import { buttonClass } from "../../../components/ui/button.tsx";
import { shellMessages as messages } from "./messages.ts";

export function AccessDenied({ role }: { role: string }) {
  return (
    <main className="mx-auto flex min-h-dvh max-w-md flex-col items-center justify-center gap-3 p-6 text-center">
      <h1 className="text-xl font-semibold">{messages.deniedTitle}</h1>
      <p className="text-ink-11">{messages.deniedText}</p>
      <p className="text-sm text-ink-11">
        {messages.yourRole}: <strong className="text-ink-12">{role}</strong>
      </p>
      <a href="/home" className={buttonClass({ kind: "quiet" })}>
        {messages.viewSite}
      </a>
    </main>
  );
}
