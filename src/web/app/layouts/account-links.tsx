import { useNavigate } from "react-router";
import { buttonClass } from "#web/components/ui/button.tsx";
import { saveUser, useSession } from "#web/lib/session.ts";
import { layoutMessages as messages } from "./messages.ts";

/**
 * The server renders Sign In, because the page is the same for every visitor. After hydration, a
 * user with a session gets Admin and Sign Out instead.
 */
export function AccountLinks() {
  const { user } = useSession();
  const navigate = useNavigate();
  if (user === null) {
    return (
      <a href="/auth/signin" className={buttonClass({ kind: "ghost" })}>
        {messages.signIn}
      </a>
    );
  }
  const leave = async () => {
    try {
      await (await import("#web/lib/session-actions.ts")).signOut();
    } catch (error) {
      console.warn("Signing out failed", error);
      saveUser(null);
    }
    await navigate("/home");
  };
  return (
    <div className="flex items-center gap-1">
      <a href="/admin" className={buttonClass({ kind: "ghost" })}>
        {messages.admin}
      </a>
      <button type="button" className={buttonClass({ kind: "ghost" })} onClick={() => void leave()}>
        {messages.signOut}
      </button>
    </div>
  );
}
