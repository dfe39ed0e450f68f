import { useQuery } from "@tanstack/react-query";
import { Spinner } from "#web/components/ui/spinner.tsx";
import { adminHandle } from "../shared/admin-handle.ts";
import { PageHeader } from "../shared/page-header.tsx";
import { accountQuery } from "./calls.ts";
import { FactorSection } from "./factor-section.tsx";
import { PasswordForm } from "./password-form.tsx";
import { EmailForm, NameForm } from "./profile-forms.tsx";
import { OwnSessions } from "./own-sessions.tsx";
import { TokenSection } from "./token-section.tsx";
import { QueryError } from "../shared/query-error.tsx";

export const handle = adminHandle("Your account");

/** Page on which users manage their own account. */
export function Component() {
  const query = useQuery(accountQuery);
  const account = query.data;
  return (
    <>
      <PageHeader title="Your account" />
      {query.isLoadingError ? (
        <QueryError message="Failed to load your account" query={query} />
      ) : account === undefined ? (
        <Spinner label="Loading" />
      ) : (
        <div className="grid items-start gap-x-10 gap-y-8 xl:grid-cols-2">
          <div className="grid min-w-0 gap-8">
            <NameForm key={account.name} name={account.name} />
            <EmailForm key={account.email} email={account.email} />
            <PasswordForm />
          </div>
          <div className="grid min-w-0 gap-8">
            <FactorSection account={account} />
            <OwnSessions />
            <TokenSection />
          </div>
        </div>
      )}
    </>
  );
}
